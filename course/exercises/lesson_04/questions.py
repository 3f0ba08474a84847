"""The questions at the end of lesson 04."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        "A matrix of documents × 1,000 terms has `indptr` = [0, 2, 2, 5]. How many numbers do its three "
        "lists hold together?",
        answer=14,
        decimals=0,
        praise="Five weights, five columns, and four borders around three documents, of which the second "
        "is empty.",
        wrong={
            10: "Those are the weights and their columns. indptr is stored too, and it has four numbers.",
            9: "Each weight needs its column as well: data and indices both have five numbers.",
            15: "indptr is not as long as the other two. It has one number for each document, and one more "
            "for the end.",
            3000: "That is the number of cells of the table. Zeros are not stored.",
            4000: "That is the number of cells for four documents. Four borders enclose three documents; "
            "and zeros are not stored.",
        },
        otherwise="The last number of indptr says how many weights there are. indices is as long as data; "
        "then add indptr itself.",
    ),
    Choice(
        'In a hospital\'s notes the word "patient" is in nine documents of ten. The search uses the '
        'classic IDF. Two notes describe a fall in the same words, but one of them also says "patient". '
        'What comes out for the query "patient fall"?',
        {
            "a": (
                'the note with "patient" first, by a hair',
                "That would be so with Lucene's form, where a common word weighs next to nothing. The "
                "classic form is 0 for a word in half of the documents; at nine tenths it is "
                "ln(0.1 / 0.9), about −2.2.",
            ),
            "b": (
                'the note with "patient" first, by far',
                "That would be so without IDF, when a common word counts like any other. The classic IDF "
                "does lower its weight, but goes too far.",
            ),
            "c": (
                'the note without "patient" first',
                "The classic IDF of such a common word is negative, so a document is punished for "
                "containing a word of the query.",
            ),
            "d": (
                "an error, since the logarithm is not defined there",
                "The number inside the logarithm is small but still above 0; only the logarithm itself "
                "is negative. Nothing fails, which makes this fault hard to find.",
            ),
        },
        answer="c",
    ),
    Numeric(
        'A fourth document, "the cat sang", joins the toy of section 1. What is Lucene\'s IDF of "cat" now?',
        answer=0.36,
        decimals=2,
        praise="Three of four documents have it: ln(1 + 1.5 / 3.5). It was 0.47 when two of three had it.",
        wrong={
            0.69: "You took df = 2. The new document contains the word as well.",
            0.13: "You left N at 3. The new document counts too.",
            -0.85: "That is the classic form; the '1 +' inside the logarithm is missing.",
            0.15: "Your logarithm has base 10; ln has base e (np.log).",
            0.29: "That is ln(N / df). Lucene adds 0.5 above and below, and 1 inside the logarithm.",
            0.47: "That is the value for three documents. Both N and df have grown by one.",
            1.20: "Your fraction is upside down. The documents without the term are above the line, those "
            "with it below.",
        },
        otherwise="N and df both count documents, the new one included. Then ln(1 + (N − df + 0.5) / (df + "
        "0.5)).",
    ),
    Choice(
        "You take the ten best of each query with `argpartition`, forget to sort them, and read ranks off "
        "the lists as they are. What do your figures show?",
        {
            "a": (
                "Recall@10 and nDCG@10 both fall",
                "Recall@10 asks only which documents are among the ten, and these are the right ones.",
            ),
            "b": (
                "nDCG@10 falls, Recall@10 stays",
                "Recall@10 looks at the ten as a set, nDCG@10 at their ranks. Good recall with bad nDCG "
                "looks like a weak ranking, but it can be a missing line of code. (A tool that sorts by "
                "score itself, as trec_eval does, would hide it.)",
            ),
            "c": (
                "Recall@10 falls, nDCG@10 stays",
                "It is the other way round: nDCG pays by rank, and recall does not look at ranks within "
                "the ten.",
            ),
            "d": (
                "neither falls: over many queries the disorder averages out",
                "Good documents move down more often than up, because they were in front. On average a "
                "random order loses.",
            ),
        },
        answer="b",
    ),
    Numeric(
        "The collection that comes with the course has its judgments in `files.BUNDLED_BEIR / "
        '"everyday-science" / "qrels" / "test.tsv"`. Hand its text, `.read_text(encoding="utf-8")`, to '
        "`read_qrels`. How many of its judgments have grade 0?",
        answer=591,
        decimals=0,
        praise="591 of 655. Nine times in ten a judge looked and said no; without these lines such a "
        "document could not be distinguished from one that nobody looked at.",
        wrong={
            655: "That is the number of all judgments. Count those whose grade equals 0.",
            656: "That is the number of lines, header included.",
            64: "That is the number of judgments above 0, which is what metrics call relevant.",
            40: "That is the number of queries. Each has several judgments.",
            0: 'Either the zeros were dropped while reading, or the grades are still text: "0" does not '
            "equal 0.",
        },
        otherwise="Go through all queries and, for each, through its grades: sum(grade == 0 for grades in "
        "qrels.values() for grade in grades.values()).",
    ),
    Choice(
        'A vendor reports nDCG@10 = 0.71 on SciFact, "against 0.65 for BM25". What must you know before '
        "you can say how large the gain is?",
        {
            "a": (
                "whether 300 queries make such a difference significant",
                "Worth asking, but only afterwards. A difference can be significant and still be measured "
                "against a baseline that is too weak.",
            ),
            "b": (
                "whether Recall@100 rises as well",
                "It would tell you where the gain comes from. How large the gain is depends on the "
                "baseline that it is measured against.",
            ),
            "c": (
                "how many results were kept for each query",
                "nDCG@10 looks at ten of them. More results change Recall@100 and MAP only.",
            ),
            "d": (
                "which BM25 it was: IDF, k₁ and b, analyzer, fields",
                "On this lesson's ladder BM25 on SciFact goes from 0.652 to 0.679. Against the published "
                "0.6789 only half of the gain is left.",
            ),
        },
        answer="d",
    ),
    Choice(
        "Two retrievers have Recall@100 = 0.93; one has nDCG@10 = 0.71, the other 0.60. A second stage "
        "will reorder the first hundred results of each query. Which of the two retrievers do you put "
        "before it?",
        {
            "a": (
                "the one with 0.71, whose order is a better start",
                "A second stage that makes its own order does not start from that one. What it needs is that "
                "the relevant documents are among the hundred.",
            ),
            "b": (
                "by these numbers it hardly matters",
                "Both hand over the same share of the relevant documents. They differ in the order, and "
                "a second stage that makes its own order replaces that one.",
            ),
            "c": (
                "the one with 0.60, where there is more to gain",
                "The gain would be larger, but from a lower start. By these numbers both end at the same "
                "point: the same share of the relevant documents is among the hundred, and the second "
                "stage cannot bring up any others.",
            ),
        },
        answer="b",
    ),
)
