"""The questions at the end of lesson 06, second half."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        "Page X was at rank 1 in 100 result lists and was clicked 12 times. Page Y was at rank 3 in 100 "
        "lists and was clicked 6 times. Everybody looks at rank 1, and 40 of 100 people look at rank 3. Of "
        "those who look at Y, what share click it?",
        answer=0.15,
        decimals=2,
        praise="6 of 40. X gets 12 of 100. So in this log people who see Y click it a little more often than "
        "people who see X click X, although Y has half as many clicks. (6 and 12 clicks are too few to say "
        "which page people prefer.)",
        wrong={
            0.06: "That is its click rate. But 60 of the 100 never saw Y, so they did not refuse it.",
            0.02: "You multiply by the chance of being looked at, but the clicks have already been through "
            "that chance. To undo it, divide.",
            0.12: "That is the rate of X, which everybody saw.",
            0.18: "You multiply by the rank, as if a third of the people looked at rank 3. It was measured "
            "that 40 of 100 do.",
            0.10: "You divide by the 60 who did not see the page. Divide by the 40 who did.",
            15: "That is the percentage. As a share it is a hundredth of that.",
        },
        otherwise="Divide the clicks by those who looked: of 100 lists, how many were read down to rank 3?",
    ),
    Numeric(
        "On the runbooks, people see the first five results of `CsrBM25(corpus, lucene_lengths=True)`, and "
        "click every relevant page among them and no other. A monitor takes the clicked pages for the "
        "relevant ones and reports recall, as the mean over queries with a click. By how much is that above "
        "the true mean Recall@5 over all 30 queries?",
        answer=0.65,
        decimals=2,
        praise="The monitor says 1.00, because it knows a page to be relevant only if somebody clicked it, "
        "and so only if it was shown. On average more than half of a query's relevant pages were never "
        "shown.",
        wrong={
            0.35: "That is the true Recall@5. What does the monitor report?",
            1.00: "That is what the monitor reports. The true Recall@5 is not 0; take the difference.",
            0.63: "You leave out queries without a hit from the true mean as well. It is over all 30.",
            0.52: "That is the difference for ten results. These people see five.",
            0.50: "You worked with precision. Recall divides by the number of relevant pages, not by five.",
            0.00: "The clicks are honest, but pages that were not shown could not be clicked, so the "
            "monitor does not know that they exist.",
        },
        otherwise="Ask first what the monitor can report if it knows only relevant pages that were shown. "
        'Then evaluate_retrieval(…, metrics=["Recall@5"]).',
    ),
    Choice(
        "A search box sends each *query* to A or B by a coin. People mostly ask two or three times until "
        "they have what they need, and the test counts clicks per query. What is wrong?",
        {
            "a": (
                "a coin is not fair enough for a test of this size",
                "A coin splits the queries evenly enough. The trouble lies in what it splits.",
            ),
            "b": (
                "the same person gets a mixture of both systems",
                "What A answered badly may be asked again at B. So the two systems influence each other, and "
                "the difference shrinks. Assign each person, by a hash, and then count per person as well.",
            ),
            "c": (
                "clicks should be counted per result, not per query",
                "That would give more numbers, which are even less independent. The question is who is "
                "assigned.",
            ),
            "d": (
                "nothing: there are more queries than people, which gives more power",
                "You get more numbers, but they measure the wrong difference: each person is served by both "
                "systems, and what one did badly is mended by the other.",
            ),
        },
        answer="b",
    ),
    Numeric(
        "A test that planned half of its users for each side has 5,200 in A and 4,800 in B. The "
        "sample-ratio check adds up (observed − expected)² / expected over both groups. What does it give?",
        answer=16,
        decimals=0,
        praise="40,000 / 5,000, twice. A fair coin gives more than 3.84 in one of 20 tests, and 16 or more "
        "in one of 16,000. Look for the fault first: no metric of this test can be trusted.",
        wrong={
            8: "That is one group. Count both: the one with too many users and the one with too few.",
            4: "That is the square root: the deviation in standard errors. The check squares it.",
            32: "The difference between the groups is 400, but each is 200 away from what was expected.",
            64: "You took 400 for the distance. Each group is 200 away from its 5,000.",
            0: "The two deviations cancel if they are not squared. Or did you divide by the square of 5,000?",
            80_000: "Each square is divided by what was expected, 5,000.",
        },
        otherwise="You expect 5,000 in each group. Add up 200² / 5,000 for both.",
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
                "there were too few users on day 6; on day 14 p will be smaller",
                "If A and B are the same, p does not shrink with time; it wanders. A look at the wrong "
                "moment finds it low, and by day 14 it may be anywhere.",
            ),
            "c": (
                "run one more day, and stop if p is still low",
                "That is a seventh look, and a weak one: six sevenths of its users are those who raised the "
                "alarm already. Most of the luck of day 6 is still there on day 7.",
            ),
            "d": (
                "with 14 looks planned, the level on day 6 is below 0.05",
                "Each look is another chance for luck. Either look once, on the planned day, or use a "
                "boundary that allows for all planned looks, including those not yet taken. On day 6 of 14, "
                "Pocock's asks for p below 0.0089, and O'Brien and Fleming's for p below 0.0013.",
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
                "Interleaving compares both inside one list, where the differences between people cancel. So "
                "it sees small preferences early. But nobody was served by B alone, so it cannot say how "
                "large the gain is in sessions or sales.",
            ),
            "b": (
                "which of the two lists people prefer when they see both",
                "That question was answered: each person has compared the two for you, within one list.",
            ),
            "c": (
                "whether position bias has favoured B over A",
                "A coin decides which team picks first, so the ranks are shared evenly. A bias for high "
                "ranks favours both alike.",
            ),
            "d": (
                "which test is wrong, as both cannot be right",
                "They can. Interleaving sees small preferences within a person, and split traffic needs many "
                "more people to see the same. A test that shows no difference does not show that there is "
                "none.",
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
                "M once more, on ten times as many queries made this way",
                "The interval gets narrower around the same mistake. Who wins was decided when M wrote the "
                "labels.",
            ),
            "b": (
                "M with another threshold for what counts as near",
                "That changes how many pages count as relevant. They are still those that M would rank "
                "first.",
            ),
            "c": (
                "both, on some queries judged by reading, not by M",
                "So far M was compared with itself, and could not lose. Thirty queries judged without "
                "either of the two say more than thousands that M labelled. If a model judges, ask how it "
                "is related to what it judges.",
            ),
            "d": (
                "both, with a paired test instead of the means",
                "The test would be sure that M is better, because M wins on nearly every query. It knows "
                "nothing about where the labels came from.",
            ),
        },
        answer="c",
    ),
)
