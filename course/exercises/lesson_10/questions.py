"""The questions at the end of lesson 10."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        "A hundred million vectors of 384 numbers are kept as one bit a number. How many gigabytes are that "
        "(a gigabyte is 10⁹ bytes)?",
        answer=4.8,
        decimals=1,
        praise="384 bits are 48 bytes. As 32-bit numbers the same vectors take 153.6 GB.",
        wrong={
            38.4: "That is a byte a number. A byte holds eight bits.",
            153.6: "That is four bytes a number, as it was before.",
            19.2: "That is half a byte a number, four bits.",
            76.8: "That is two bytes a number, float16.",
        },
        otherwise="384 bits are 384 / 8 bytes. Times a hundred million, divided by 10⁹.",
    ),
    Choice(
        "Two indexes both find 0.92 of the ten exact neighbours. One has 4-bit codes, one an inverted file. "
        "What do you know about their nDCG@10?",
        {
            "a": (
                "it is the same: recall is the same",
                "In the lesson they lay 0.0375 apart at this recall, with an interval well above 0.",
            ),
            "b": (
                "not enough: measure nDCG@10 of both against exact search, with an interval",
                "What is missing counts, not only how much: near-ties at rank 10, or the best document.",
            ),
            "c": (
                "both lose 0.08: a share of 0.08 is not found",
                "nDCG@10 counts relevant documents, and most neighbours are none.",
            ),
            "d": (
                "the inverted file is better, since it keeps whole vectors",
                "Whole vectors in a cell that is not opened help nobody.",
            ),
        },
        answer="b",
    ),
    Choice(
        "An index found 0.999 of the neighbours with four cells opened, among a million vectors made up "
        "around a thousand centres. What do you take over for your own five million vectors?",
        {
            "a": (
                "four cells: it was measured on a million",
                "It was measured on vectors with the very shape that cells are made for.",
            ),
            "b": (
                "twenty cells: five times the vectors",
                "More cells are likely to be needed, but how many nothing of this says.",
            ),
            "c": (
                "nothing: I measure on my vectors, and again when there are five times as many",
                "Neither the shape of the vectors nor their number carries over.",
            ),
            "d": (
                "0.999 as an upper limit",
                "Not even that: with more cells opened yours may reach 1.",
            ),
        },
        answer="c",
    ),
    Numeric(
        "A filter keeps a hundredth of the documents, chosen without regard to their content. You fetch the "
        "200 nearest and filter afterwards. How many results are left on average?",
        answer=2,
        decimals=0,
        praise="A hundredth of 200. For ten results on average you would have to fetch 1,000.",
        wrong={
            10: "Ten were wanted. Of 200 fetched a hundredth passes the filter.",
            20: "That is a tenth of 200. The filter keeps a hundredth.",
            200: "The filter throws most of them away.",
            100: "Half of them? The filter keeps one in a hundred.",
        },
        otherwise="Of the fetched documents a hundredth passes the filter.",
    ),
    Choice(
        "Your customers search within their own documents: a filter that keeps about 50 of 5,000. Which "
        "search do you try first?",
        {
            "a": (
                "the graph, with the filter while it walks",
                "In the lesson it found fewer than half of the neighbours with ef 40, and took longer than "
                "looking at all fifty.",
            ),
            "b": (
                "the graph, then the filter",
                "Of the first hundred results about one is the customer's.",
            ),
            "c": (
                "exact search among the fifty",
                "Fifty inner products cost next to nothing, and no other of these searches misses nothing.",
            ),
            "d": (
                "an index for each customer",
                "An index helps among many vectors. Among fifty it has nothing to save.",
            ),
        },
        answer="c",
    ),
    Choice(
        'A report says: "usearch, ef 16: recall@10 0.995 at 10,000 queries a second." The recall is of the '
        "first ten of a search for 100, the speed of a search for ten. What is wrong?",
        {
            "a": (
                "nothing: the first ten are the first ten",
                "Not in an approximate index: this one looks more widely when it is asked for more.",
            ),
            "b": (
                "they belong to two searches: the one for ten finds fewer, the one for 100 is slower",
                "In the lesson the search for ten found 0.930, and the one for 100 answered fewer queries.",
            ),
            "c": (
                "the recall is too low: it should be that of 100",
                "It is too high for a search for ten.",
            ),
            "d": (
                "queries a second cannot be measured",
                "They can, if machine, threads and k are said.",
            ),
        },
        answer="b",
    ),
)
