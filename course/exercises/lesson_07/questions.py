"""The questions at the end of lesson 07."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Choice(
        "In March a report said hit_rate 0.49, in June it says 0.66. By their fingerprints, both have the "
        "same corpus, the same snapshot with backend and parameters, and the same dataset. The fifth "
        "thing was not written down in March. What do you tell somebody who wants to report the gain?",
        {
            "a": (
                "it was the machine: June's is faster, and hit rates rise with speed",
                "A faster machine gives the same answers sooner. The result depends on corpus, snapshot, "
                "backend, dataset and budget, not on the hardware.",
            ),
            "b": (
                "nothing yet: a larger budget would do this without any better engine",
                "The five things are corpus, snapshot, backend with its parameters, dataset and budget. "
                "The same four give the same ranking (unless a library changed its version), so a larger "
                "budget let more of it through. Measure both under one budget.",
            ),
            "c": (
                "it is a gain: four of five things agree, and that is more than most can show",
                "If those four agree, the ranking is the same. Then the engine did not get better, and "
                "the fifth made the whole difference.",
            ),
            "d": (
                "test it first: with p < 0.05 over the queries the gain is real",
                "p would be small, because a larger budget makes rows rise and hardly any fall. A test "
                "asks whether chance did it. It cannot see that two different things were measured.",
            ),
        },
        answer="b",
    ),
    Choice(
        "The files of a corpus were moved into folders and ingested again; an id is a file's path. Not a "
        "word was changed. With the old dataset hit_rate falls from 0.62 to 0.31, and the report warns that "
        "100 of 200 rows expect what is not in this corpus. What do you do?",
        {
            "a": (
                "set the gate's limit to 0.40 until the engine is back where it was",
                "The engine never got worse. Half of the rows ask for ids that no document has any more. "
                "And with such a limit the next real loss passes too.",
            ),
            "b": (
                "leave the 100 rows out, and report the hit rate of the other 100",
                "That keeps only the pages that happened not to move. It is another dataset, easier or "
                "harder, and its number cannot be compared with 0.62.",
            ),
            "c": (
                "rebuild the snapshot with another analyzer, since it has lost its words",
                "The words are the same, and so is the ranking of the pages. Only their names "
                "are no longer those of the dataset.",
            ),
            "d": (
                "map the old ids to the new ones in the dataset, and evaluate it again",
                "The pages are found as before, under other names. After the mapping the warning must be "
                "gone, and the number back; if not, something else changed too.",
            ),
        },
        answer="d",
    ),
    Choice(
        "You have 12 gold queries, and draft 300 synthetic ones from titles and headings. The hit_rate is "
        "0.94 with the synthetic ones and 0.50 with the gold ones. What goes into the report?",
        {
            "a": (
                "0.50 as the result; 0.94 separately, as a check that everything runs",
                "A drafted query has the page's own words, so word matching nearly always finds the page. "
                "That shows that everything works, and catches a broken index. Only people's own "
                "questions show what people will get.",
            ),
            "b": (
                "0.92, over all 312 queries together, since more queries are more certain",
                "That is 0.94 with a little noise: 300 easy rows drown the 12 that count. A narrow "
                "interval does not help if it answers another question.",
            ),
            "c": (
                "0.94, with its 300 queries; 12 are too few to say anything at all",
                "12 are few, and the interval is wide. But they measure what you want to know. The 300 "
                "were made from the pages, and measure whether a text can be found by its own words.",
            ),
            "d": (
                "0.72, the mean of the two numbers, so that both kinds weigh the same",
                "A mean of two questions answers neither. With other weights it could be any number "
                "between 0.50 and 0.94.",
            ),
        },
        answer="a",
    ),
    Choice(
        'Somebody types `checkout-api`, and FTS5 raises "no such column: api". The page on checkout-api is '
        "in the index. What happened?",
        {
            "a": (
                "the tokenizer cut the word at its hyphen and lost the second half",
                "It does cut there, in the page and in a quoted query alike, and both halves are in the "
                "index. But this query never reached the tokenizer.",
            ),
            "b": (
                "the table has no column for services; one named api has to be added",
                "The message says column because of how the query was read. If you add one, this "
                "query runs, and the next hyphen asks for another column.",
            ),
            "c": (
                "the query was read as FTS5's language, where the hyphen is an operator",
                "Outside quotes, FTS5 reads what follows a hyphen as the name of a column. In quotes it is "
                "all text: the tokenizer cuts it as it cut the page, and finds both halves side by side.",
            ),
            "d": (
                "the word is too rare: FTS5 raises where no page at all would match",
                "A query without a match gives an empty result and no error. An error means that the "
                "query could not be read.",
            ),
        },
        answer="c",
    ),
    Numeric(
        "A team's builds reshuffle rankings and change nothing real: the scores of its many queries "
        "move up as often as down, and the two means are never exactly equal. Gate A is red on any drop "
        "of the mean. Gate B is red if the 90 % interval of the drop, 5 % beyond each end, lies wholly "
        "above 0. Of 200 such builds A stops about 100. About how many does B stop?",
        answer=10,
        decimals=0,
        praise="5 % of 200. The interval misses the true drop, here 0, in one of ten cases. In half of "
        "these it lies below 0, which gives no red light. People still look at ten red builds of 200, but "
        "not at a hundred. With a limit above 0 there would be fewer.",
        wrong={
            20: "That is how often the interval misses the true drop of 0, on either side. The light is red "
            "only when it lies above.",
            5: "That is 2.5 % beyond one end, as with a 95 % interval. This one has 5 % beyond each end.",
            100: "That is A: half of all chance changes are drops. B also asks whether the drop is larger "
            "than chance usually makes.",
            0: "Now and then chance alone moves a whole interval above 0. A gate that looks at a sample "
            "is sometimes wrong.",
            50: "That would be half of A's. B is red only when the whole interval is above 0.",
            190: "That many pass. How many are stopped?",
            180: "In that many builds the interval includes 0. How many of the other intervals lie above it?",
        },
        otherwise="In how many of the 200 does the interval miss the true drop, which is 0? And on which "
        "side does it have to lie for a red light?",
    ),
    Numeric(
        "The runbooks' core labels make 259 rows from 30 queries, each row expecting one relevant page. An "
        "engine puts all the relevant pages of each query first. With 5 items and no other limit, "
        "what is its hit_rate over the rows? (`wiki.qrels` has the grades; 1 or more is relevant.)",
        answer=0.5097,
        decimals=4,
        praise="132 of 259 rows: a query with 27 relevant pages can have 5 hits and must have 22 misses. No "
        "engine does better under this budget, so read a hit rate beside what was possible.",
        wrong={
            1.0: "It ranks without a fault, but it has only five places. What happens to a query with 27 "
            "relevant pages?",
            0.5792: "That is 150 of 259, as if every query filled its five places. Some have fewer than "
            "five relevant pages.",
            0.6921: "That is the mean of recall over the 30 queries, where each query weighs the same. "
            "Here each row does.",
            0.1158: "That is for one item: 30 of 259. Five are allowed.",
            0.1019: "That is its precision: the hit rate, divided by 5.",
            0.0193: "That is 5 of 259. The budget is 5 items for each query.",
            0.4903: "That is the share of misses.",
        },
        otherwise="For each query at most five rows can be hits: add up min(5, number of relevant pages) "
        "over the queries, and divide by 259.",
    ),
    Numeric(
        "A ranking holds these items, best first, with source and characters: A 900, A 400, B 800, C 650, "
        "A 300, D 200. The budget is 4 items, 2,000 characters and 1 item per source. How many characters "
        "reach the reader?",
        answer=1900,
        decimals=0,
        praise="A 900, B 800 and D 200: the two other pages of A are skipped for their source, C for its "
        "length, and the walk goes on. Three items of the four that were allowed.",
        wrong={
            1700: "You stop at C, which does not fit. It is skipped, and D still fits.",
            2000: "You fill up to the limit with a part of C. An item is let through whole or not at all.",
            1950: "That is without the cap: A 900, A 400 and C 650. A may give one item only.",
            1100: "You count the second A, though it was skipped. An item that is not read costs nothing.",
            2350: "That is above the 2,000: C does not fit after A and B.",
            2550: "You keep the cap, but not the 2,000 characters.",
            1300: "You take the first two and stop. The second is of a source that has had its one item.",
        },
        otherwise="Go down the list and keep a sum: has the source had its item, and does this one still "
        "fit into 2,000?",
    ),
)
