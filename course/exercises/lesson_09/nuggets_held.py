"""Exercise: the share of nuggets that a context holds, by the positions of their quotes."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def nuggets_held(nuggets, context):
    def whole(doc_id, start, end):
        seen = set()
        for piece_doc, first, last in context:
            if piece_doc == doc_id:
                seen |= set(range(first, last))
        return seen >= set(range(start, end))

    held = [any(whole(*quote) for quote in quotes) for quotes in nuggets]
    return sum(held) / len(held) if held else 0.0


A, B = ("d1", 10, 20), ("d1", 40, 55)
A_ELSEWHERE = ("d2", 0, 12)

NUGGETS_HELD = Exercise(
    name="NUGGETS_HELD",
    task="""\
Write `nuggets_held(nuggets, context)`: which share of the facts does a context hold?

`context` is a list of pieces `(doc_id, start, end)`: the characters from `start` to `end`, `end` not \
included, of that document. `nuggets` is a list of nuggets, and each nugget a list of the quotes that \
state it, `(doc_id, start, end)` likewise, at least one. Returned is a number from 0 to 1. **Convention** \
(TREC RAG track, strict): a nugget is held when at least one of its quotes lies whole in what the context \
shows. Pieces of one document that overlap or touch show what is in them together. Part of a quote counts \
for nothing. Without a nugget the share is 0.""",
    reference=nuggets_held,
    cases=(
        Case(
            ([[A], [B]], [("d1", 10, 30)]), "the piece begins with the first quote; the second is beyond it"
        ),
        Case(([[A]], [("d1", 10, 20)]), "the piece is the quote, letter for letter"),
        Case(([[A]], [("d1", 0, 15), ("d1", 15, 30)]), "two pieces touch inside the quote; together whole"),
        Case(([[A]], [("d1", 12, 30), ("d1", 0, 14)]), "they overlap, and come in the other order"),
        Case(([[A]], [("d1", 0, 15), ("d2", 0, 5), ("d1", 15, 30)]), "a piece of another page comes between"),
        Case(
            ([[A]], [("d1", 18, 30), ("d1", 0, 8)]), "two pieces in the other order, and a gap between them"
        ),
        Case(([[A]], [("d1", 0, 14), ("d1", 16, 30)]), "two letters of the quote are in no piece"),
        Case(([[A]], [("d1", 15, 30)]), "only the end of the quote is shown"),
        Case(([[A]], [("d1", 0, 19)]), "the quote's last letter is in no piece: ends are exclusive"),
        Case(([[A]], [("d1", 0, 30), ("d1", 2, 6)]), "a short piece lies inside a long one"),
        Case(([[A, A_ELSEWHERE]], [("d2", 0, 12)]), "stated in two places; the second is there"),
        Case(
            (
                [
                    [A, A_ELSEWHERE],
                    [B],
                    [("d3", 0, 4), ("d3", 6, 9)],
                    [("d1", 21, 24)],
                    [("d2", 3, 9)],
                    [("d3", 8, 12)],
                    [("d4", 0, 5)],
                ],
                [("d3", 5, 9), ("d1", 8, 14), ("d2", 2, 6), ("d1", 14, 30), ("d2", 5, 12)],
            ),
            "four of seven nuggets: the first, the third, the fourth and the fifth",
        ),
        Case(
            ([[A, A_ELSEWHERE], [B]], [("d1", 0, 30), ("d2", 0, 12)]), "shown in both places: one fact of two"
        ),
        Case(([[A, A_ELSEWHERE], [B]], [("d1", 0, 60)]), "d1 states both facts; one place is enough"),
        Case(([[A]], [("d2", 0, 60)]), "the same positions on another page are other words"),
        Case(
            ([[A], [B]], [("d2", 0, 5), ("d1", 0, 60), ("d2", 5, 9)]), "it is in the second of three pieces"
        ),
        Case(([[A]], []), "an empty context holds nothing"),
        Case(([], [("d1", 0, 60)]), "no nugget: 0 by the convention"),
    ),
    hints=(
        "Ask one question at a time: which characters of a document does the context show? Does it show all "
        "of one quote? Does any quote of a nugget pass?",
        "A set of positions joins pieces by itself: seen |= set(range(first, last)) for every piece of that "
        "document. A quote is whole when seen >= set(range(start, end)).",
        "held = [any(whole(*quote) for quote in quotes) for quotes in nuggets], and then "
        "sum(held) / len(held), or 0.0 for an empty list.",
    ),
)


def _seen(doc_id, context):
    return {i for d, first, last in context if d == doc_id for i in range(first, last)}


def _share(nuggets, is_held):
    held = [is_held(quotes) for quotes in nuggets]
    return sum(held) / len(held) if held else 0.0


@NUGGETS_HELD.mistake("each piece alone")
def each_piece_alone(nuggets, context):
    """You ask whether a single piece holds the quote. Where two pieces touch or overlap inside it, the
    reader sees it whole all the same: join what the context shows of a document first."""
    return _share(
        nuggets,
        lambda quotes: any(d == p and f <= s and e <= t for d, s, e in quotes for p, f, t in context),
    )


@NUGGETS_HELD.mistake("any overlap counts")
def any_overlap_counts(nuggets, context):
    """You count a nugget when some of its quote is shown. Half a sentence may leave out the number, or the
    "not": by this convention the quote must be there whole."""
    return _share(nuggets, lambda quotes: any(_seen(d, context) & set(range(s, e)) for d, s, e in quotes))


@NUGGETS_HELD.mistake("every quote needed")
def every_quote_needed(nuggets, context):
    """You ask for all quotes of a nugget. They state the same fact in several places; one is enough, so
    any(), not all()."""
    return _share(nuggets, lambda quotes: all(_seen(d, context) >= set(range(s, e)) for d, s, e in quotes))


@NUGGETS_HELD.mistake("the first quote only")
def the_first_quote_only(nuggets, context):
    """You look at the first quote of each nugget. Another page may state the fact, and be the one that was
    retrieved."""
    return nuggets_held([quotes[:1] for quotes in nuggets], context)


@NUGGETS_HELD.mistake("the document ignored")
def the_document_ignored(nuggets, context):
    """You compare positions and forget the document. Characters 10 to 20 of another page are other
    words."""
    return nuggets_held(
        [[("", s, e) for _, s, e in quotes] for quotes in nuggets], [("", f, t) for _, f, t in context]
    )


@NUGGETS_HELD.mistake("quotes counted")
def quotes_counted(nuggets, context):
    """You count quotes. A fact that five pages state would weigh five times; each nugget counts once."""
    return nuggets_held([[quote] for quotes in nuggets for quote in quotes], context)


@NUGGETS_HELD.mistake("the count")
def the_count(nuggets, context):
    """You return how many nuggets are held. Divide by how many there are."""
    return nuggets_held(nuggets, context) * len(nuggets)


@NUGGETS_HELD.mistake("shares of quotes")
def shares_of_quotes(nuggets, context):
    """You add up how much of each quote is shown. That is a softer score; here part of a quote counts for
    nothing."""
    shares = [
        max(len(_seen(d, context) & set(range(s, e))) / (e - s) for d, s, e in quotes) for quotes in nuggets
    ]
    return sum(shares) / len(shares) if shares else 0.0


@NUGGETS_HELD.mistake("end included")
def end_included(nuggets, context):
    """You ask for the character at `end` too. It is the first one after the quote: range(start, end)."""
    return nuggets_held([[(d, s, e + 1) for d, s, e in quotes] for quotes in nuggets], context)


@NUGGETS_HELD.mistake("the start only")
def the_start_only(nuggets, context):
    """You check where a quote starts. Its end may be cut off, and often the answer is at the end."""
    return nuggets_held([[(d, s, s + 1) for d, s, _ in quotes] for quotes in nuggets], context)


@NUGGETS_HELD.mistake("gaps filled")
def gaps_filled(nuggets, context):
    """You take everything from a document's first piece to its last. What lies in no piece between them
    was not retrieved, and nobody reads it."""
    hulls = []
    for doc_id in {d for d, _, _ in context}:
        own = [(f, t) for d, f, t in context if d == doc_id]
        hulls.append((doc_id, min(f for f, _ in own), max(t for _, t in own)))
    return nuggets_held(nuggets, hulls)


@NUGGETS_HELD.mistake("the first piece only")
def the_first_piece_only(nuggets, context):
    """You look at the first piece alone. A model reads the whole context."""
    return nuggets_held(nuggets, context[:1])


@NUGGETS_HELD.mistake("nothing is everything")
def nothing_is_everything(nuggets, context):
    """Without a nugget you return 1. The convention says 0: a query that has no nugget must not raise the
    mean."""
    return nuggets_held(nuggets, context) if nuggets else 1.0


def _joined(
    nuggets,
    context,
    later_end=max,
    joins=lambda first, end: first <= end,
    fits=lambda f, s, e, t: f <= s and e <= t,
):
    """As the reference, pieces joined one after the other in the order in which they come."""
    parts = {}
    for doc_id, first, last in context:
        own = parts.setdefault(doc_id, [])
        if own and joins(first, own[-1][1]):
            own[-1] = own[-1][0], later_end(own[-1][1], last)
        else:
            own.append((first, last))
    return _share(
        nuggets, lambda quotes: any(fits(f, s, e, t) for d, s, e in quotes for f, t in parts.get(d, []))
    )


@NUGGETS_HELD.mistake("pieces joined as they come")
def joined_as_they_come(nuggets, context):
    """You join each piece to the one before it, and do not sort them first. The context shows the best piece
    first, wherever it stands in its document."""
    return _joined(nuggets, context)


@NUGGETS_HELD.mistake("the end of the later piece")
def end_of_the_later(nuggets, context):
    """When you join two pieces, you take the end of the later one. It may lie inside the first, and end
    before it: take the larger end."""
    return _joined(nuggets, sorted(context), later_end=lambda one, other: other)


@NUGGETS_HELD.mistake("held as often as it is quoted")
def held_as_often_as_quoted(nuggets, context):
    """You count a nugget once for each of its quotes that is shown. It is held once: leave its loop at the
    first."""
    shown = [sum(_seen(d, context) >= set(range(s, e)) for d, s, e in quotes) for quotes in nuggets]
    return sum(shown) / len(nuggets) if nuggets else 0.0


@NUGGETS_HELD.mistake("divided by the pieces")
def divided_by_the_pieces(nuggets, context):
    """You divide by the number of pieces. It is a share of the nuggets."""
    return nuggets_held(nuggets, context) * len(nuggets) / len(context) if context else 0.0


@NUGGETS_HELD.mistake("an error without nuggets")
def error_without_nuggets(nuggets, context):
    """You raise an error where there is no nugget. By this convention nothing to hold gives 0.0."""
    if not nuggets:
        raise ValueError
    return nuggets_held(nuggets, context)


@NUGGETS_HELD.mistake("pieces that touch not joined")
def touching_not_joined(nuggets, context):
    """Pieces that only touch stay apart in your result. Where one ends at 15 and the next begins at 15, no
    character is missing between them: they show together what is in them."""
    return _joined(nuggets, sorted(context), joins=lambda first, end: first < end)


@NUGGETS_HELD.mistake("strictly inside")
def strictly_inside(nuggets, context):
    """You ask for a piece that goes beyond the quote on both sides. One that begins and ends with it shows it
    whole."""
    return _joined(nuggets, sorted(context), fits=lambda f, s, e, t: f < s and e < t)


@NUGGETS_HELD.mistake("half of a quote is enough")
def half_is_enough(nuggets, context):
    """You count a nugget where half of a quote is shown. By this convention the quote must be there whole."""
    return _share(
        nuggets,
        lambda quotes: any(2 * len(_seen(d, context) & set(range(s, e))) >= e - s for d, s, e in quotes),
    )


@NUGGETS_HELD.mistake("the end only")
def the_end_only(nuggets, context):
    """You check where a quote ends. Its beginning may be cut off: the quote must be there whole."""
    return nuggets_held([[(d, e - 1, e) for d, _, e in quotes] for quotes in nuggets], context)


@NUGGETS_HELD.mistake("both ends only")
def both_ends_only(nuggets, context):
    """A gap inside a quote does not matter in your results, where both its ends are shown. What is in no
    piece was not retrieved: the quote must be there whole."""
    return _share(nuggets, lambda quotes: any({s, e - 1} <= _seen(d, context) for d, s, e in quotes))


@NUGGETS_HELD.mistake("the last piece only")
def the_last_piece_only(nuggets, context):
    """You look at the last piece alone. A model reads the whole context."""
    return nuggets_held(nuggets, context[-1:])


@NUGGETS_HELD.mistake("the last quote only")
def the_last_quote_only(nuggets, context):
    """You look at the last quote of each nugget. Another one may be shown, and one is enough."""
    return nuggets_held([quotes[-1:] for quotes in nuggets], context)


@NUGGETS_HELD.mistake("all or nothing")
def all_or_nothing(nuggets, context):
    """You return 1 only where all nuggets are held, and else 0. Asked for is the share that is held."""
    return float(nuggets_held(nuggets, context) == 1)


@NUGGETS_HELD.mistake("any nugget")
def any_nugget(nuggets, context):
    """You return 1 as soon as one nugget is held. Asked for is the share that is held."""
    return float(nuggets_held(nuggets, context) > 0)


@NUGGETS_HELD.mistake("characters in place of nuggets")
def characters(nuggets, context):
    """You count characters: how many of those of all quotes are shown. Each nugget counts once, however long,
    and only where a quote is there whole."""
    wanted = [(d, i) for quotes in nuggets for d, s, e in quotes for i in range(s, e)]
    return sum(i in _seen(d, context) for d, i in wanted) / len(wanted) if wanted else 0.0
