"""The questions at the end of lesson 06, second half."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        "Page X stood at rank 1 in 100 result lists and was clicked 12 times. Page Y stood at rank 3 in "
        "100 lists and was clicked 6 times. Everybody looks at rank 1, and 40 of 100 look at rank 3. How "
        "often is Y clicked by those who look at it, as a share?",
        answer=0.15,
        decimals=2,
        praise="6 of 40. X gets 12 of 100. So in this log Y is clicked a little more often by those who see "
        "it, with half of the clicks. (6 and 12 clicks are too few to say which page people prefer.)",
        wrong={
            0.06: "That is its click rate. 60 of the 100 never saw it; a page that is not seen cannot be "
            "refused.",
            0.02: "You multiply by the chance of having been looked at; the clicks already went through "
            "it. To undo that, divide.",
            0.12: "That is the rate of X, and everybody saw X.",
            0.18: "You multiply by the rank. How many look at rank 3 was measured: 40 of 100, not a third.",
            0.10: "Those who look are 40, not 60: the 60 did not see the page.",
            15: "That is the percentage. As a share it is a hundredth of it.",
        },
        otherwise="Clicks divided by those who looked: of 100 lists, how many were read down to rank 3?",
    ),
    Numeric(
        "On the runbooks, people see the first five results of `CsrBM25(corpus, lucene_lengths=True)`, and "
        "click every relevant page among them and no other. A monitor takes the clicked pages for the "
        "relevant ones and reports recall, the mean over queries with a click. By how much is that above "
        "the true mean Recall@5 over all 30 queries?",
        answer=0.65,
        decimals=2,
        praise="The monitor says 1.00: all pages it knows to be relevant were shown, or nobody could have "
        "clicked them. On average more than half of a query's relevant pages were never shown.",
        wrong={
            0.35: "That is the true Recall@5. What does the monitor report?",
            1.00: "That is what the monitor reports. The true Recall@5 is not 0; take the difference.",
            0.63: "You leave out queries without a hit on both sides. The true mean is over all 30.",
            0.52: "That is the difference for ten results. These people see five.",
            0.50: "You worked with precision. Recall divides by the relevant pages, not by five.",
            0.00: "The clicks are honest, but pages that were not shown could not be clicked. The monitor "
            "does not know that they exist.",
        },
        otherwise="Ask first what the monitor can report, when every relevant page that it knows was "
        'shown. Then evaluate_retrieval(…, metrics=["Recall@5"]).',
    ),
    Choice(
        "A search box sends each *query* to A or B by a coin. People mostly ask two or three times until "
        "they have what they need, and the test counts clicks per query. What is wrong?",
        {
            "a": (
                "a coin is not fair enough for a test of this size",
                "A coin splits the queries evenly. The trouble is what it splits.",
            ),
            "b": (
                "the same person gets both systems, mixed",
                "What A did badly is asked again at B, so the two influence each other, and the difference "
                "shrinks. Assign the person, by a hash, and then count per person as well.",
            ),
            "c": (
                "clicks should be counted per result, not per query",
                "That would make the numbers look larger and even less independent. The question is who is "
                "assigned.",
            ),
            "d": (
                "nothing: more queries than persons give more power",
                "They give more numbers, but of the wrong difference: each person is served by both, and "
                "what one did badly is mended at the other.",
            ),
        },
        answer="b",
    ),
    Numeric(
        "A test planned half and half has 5,200 users in A and 4,800 in B. The sample-ratio check adds up "
        "(observed − expected)² / expected over both groups. What does it give?",
        answer=16,
        decimals=0,
        praise="40,000 / 5,000 twice. Above 3.84 a fair coin comes in one of 20 tests, at 16 in one of "
        "16,000. Look for the fault first: no metric of this test can be trusted.",
        wrong={
            8: "That is one group. Both are counted: the one with too many and the one with too few.",
            4: "That is the root of it, the deviation in standard errors. The check squares.",
            32: "The difference between the groups is 400, but each is 200 away from what was expected.",
            64: "You took 400 for the distance. Each group is 200 away from its 5,000.",
            0: "The two deviations cancel if they are not squared. Or did you divide by the square of 5,000?",
            80_000: "Each square is divided by what was expected, 5,000.",
        },
        otherwise="Expected are 5,000 in each group. 200² / 5,000, for both.",
    ),
    Choice(
        "A test was to run for 14 days. The team looks every morning; on day 6, p is 0.04 for the first "
        "time, and they stop: B has won. What do you say?",
        {
            "a": (
                "fine: p was below 0.05 when they stopped",
                "0.05 is the chance of a false alarm at one look. Six looks are six chances, and a team that "
                "stops at the first alarm takes every one of them.",
            ),
            "b": (
                "too few users on day 6; on day 14 p is smaller",
                "If A and B are the same, p does not shrink with time; it wanders. A look at the wrong "
                "moment finds it low, and by day 14 it may be anywhere.",
            ),
            "c": (
                "run one more day, and stop if p is still low",
                "That is a seventh look, and a weak one: six sevenths of its users are those who have "
                "raised the alarm already. What luck brought on day 6 has mostly not gone by day 7.",
            ),
            "d": (
                "with 14 looks planned, the level is below 0.05",
                "Each look is another chance for luck. Either look once, on the day that was planned, or "
                "use a boundary that allows for all planned looks, also those not yet taken. On day 6 of 14 "
                "Pocock's asks for p below 0.0089, O'Brien and Fleming's for p below 0.0013.",
            ),
        },
        answer="d",
    ),
    Choice(
        "Team-draft interleaving of A and B: over two weeks B gets more clicks than A in clearly more "
        "sessions, p = 0.001. Split traffic with as many users shows nothing. Which question is still open?",
        {
            "a": (
                "how much better people's sessions get with B alone",
                "Interleaving compares both inside one list, where what makes a person click much cancels. "
                "That sees small preferences early. But nobody was served by B alone, so it has no size in "
                "sessions or sales.",
            ),
            "b": (
                "which of the two lists people prefer when they see both",
                "That is the question that was answered. Each person has compared the two for you, within "
                "one list.",
            ),
            "c": (
                "whether position bias has favoured B over A",
                "The draft gives both teams the first pick by a coin, so places are shared evenly. A bias "
                "for high places is one for both.",
            ),
            "d": (
                "which test is wrong, as both cannot be right",
                "They can: the one sees small preferences within a person, the other needs many more "
                "persons to see the same. No finding is not a finding of nothing.",
            ),
        },
        answer="a",
    ),
    Choice(
        "A test set was built without readers: a page counts as relevant if model M puts it near the "
        "query. On it, search with M has nDCG@10 = 0.95, BM25 has 0.40. Before M replaces BM25, which run "
        "tells most about the difference?",
        {
            "a": (
                "M once more, on ten times as many queries made so",
                "The interval gets narrower around the same mistake. Who wins was decided when M wrote the "
                "labels.",
            ),
            "b": (
                "M with another threshold for near",
                "It moves how many pages count as relevant. They are still those that M would rank first.",
            ),
            "c": (
                "both, on some queries judged by reading, not by M",
                "M is compared with itself here, and cannot lose. Thirty queries judged without either of "
                "the two say more than thousands that M labelled. If a model judges, ask how it is related "
                "to what it judges.",
            ),
            "d": (
                "both, with a paired test in place of the means",
                "The test would be sure of it: M wins on nearly every query. It knows nothing about where "
                "the labels came from.",
            ),
        },
        answer="c",
    ),
)
