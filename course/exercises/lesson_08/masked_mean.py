"""Exercise: one vector of many, without the padding's."""

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def masked_mean(vectors, mask):
    own = [vector for vector, is_own in zip(vectors, mask, strict=True) if is_own]
    if not own:
        raise ValueError("the mask holds zeros only: no token is the text's own")
    return np.mean(own, axis=0).tolist()


MASKED_MEAN = Exercise(
    name="MASKED_MEAN",
    task="""\
Write `masked_mean(vectors, mask)`: a text's vector, the mean of the vectors of its own tokens.

`vectors` is a list with a vector for each token of a text, [CLS], [SEP] and padding among them; a vector is \
a list of numbers, all of the same length. `mask` is a list of 1 for a token of the text's own ([CLS] and \
[SEP] are its own too) and 0 for padding. Returned is a list of numbers, as long as one vector. \
**Convention**: padding adds nothing and is not counted, wherever it stands; the result is not brought to \
length 1; a mask of another length than `vectors`, or of zeros only, raises a ValueError.""",
    reference=masked_mean,
    cases=(
        Case(([[2, 0], [4, 2]], [1, 1]), "no padding: the plain mean, number by number"),
        Case(([[1, 2], [2, 2]], [1, 1]), "the mean of 1 and 2 is 1.5, also where all numbers are whole"),
        Case(([[2, 0], [4, 2], [9, 9]], [1, 1, 0]), "the third token is padding, and there are two to share"),
        Case(([[1.0, 2.0, 3.0]], [1]), "the mean of one token is its vector"),
        Case(([[9, 9], [2, 0], [4, 2]], [0, 1, 1]), "some models pad at the front"),
        Case(([[2, 2], [5, 5], [4, 0]], [1, 0, 1]), "the mask says which tokens, not only how many"),
        Case(([[0, 0], [2, 4]], [1, 1]), "a token with a vector of zeros is a token, and is counted"),
        Case(
            (
                [[4.12345, -2, 4, 0], [9, 9, 9, 9], [0, 5.54321, 3, 1], [8, 8, 8, 8], [3, 1, 0, 6]],
                [1, 0, 1, 0, 1],
            ),
            "three own tokens with padding between them: each sum is divided by 3",
        ),
        Case(
            (
                [
                    [5, 1, 2],
                    [0, 8, 1],
                    [7, 7, 7],
                    [3, 0, 4],
                    [1, 1, -9],
                    [6, 2, 2],
                    [7, 9, 0],
                    [2, 4, 0],
                    [0, 1, 8],
                ],
                [1, 1, 0, 1, 1, 1, 0, 1, 1],
            ),
            "seven own tokens of nine: 17, 17 and 8, each divided by 7",
        ),
        Case(([[1, -1], [3, -5], [0, 0], [0, 0]], [1, 1, 0, 0]), "padding of zeros is not counted either"),
        Case(([[3, 4], [3, 4], [7, 7]], [1, 1, 0]), "the mean has length 5, and keeps it"),
        Case(
            ([[0, 0, 3], [4, 5, 6], [8, 1, 0], [9, 9, 9]], [1, 1, 1, 0]),
            "the first and the last own token, [CLS] and [SEP], are counted like the others",
        ),
        Case(([[1, 2], [3, 4]], [0, 0]), "nothing is the text's own, so there is no mean"),
        Case(([[1, 2], [3, 4]], [1]), "a mask must speak of every token"),
    ),
    hints=(
        "A batch is filled up to its longest text. Which rows would be there if this text stood alone? Take "
        "their mean, dimension by dimension.",
        "zip(vectors, mask, strict=True) pairs each vector with its 0 or 1, and raises where the lengths "
        "differ. Keep the vectors whose mask is 1; np.mean(…, axis=0) goes down the columns.",
        "own = [vector for vector, m in zip(vectors, mask, strict=True) if m]; raise ValueError if there is "
        "none; return np.mean(own, axis=0).tolist().",
    ),
)


def _pooled(vectors, mask, pool):
    """The reference with another step behind the choice of tokens."""
    masked_mean(vectors, mask)  # refuses what the reference refuses
    return pool([vector for vector, is_own in zip(vectors, mask, strict=True) if is_own])


def _mean(vectors):
    return np.mean(vectors, axis=0).tolist()


_PADDING_COUNTED = (
    "You take the mean over all tokens, padding too. Then a text's vector depends on the longest text that "
    "happens to be in its batch. Only tokens with mask 1 belong to the text."
)


@MASKED_MEAN.mistake("padding counted", _PADDING_COUNTED)
def padding_counted(vectors, mask):
    return _pooled(vectors, mask, lambda own: _mean(vectors))


@MASKED_MEAN.mistake("padding counted, nothing refused", _PADDING_COUNTED)
def padding_counted_nothing_refused(vectors, mask):
    return _mean(vectors)


_DIVIDED_BY_ALL = (
    "You divide by the number of all tokens. The direction stays, and the length is too small, the more so "
    "the more padding there is; an inner product would punish short texts. Divide by the sum of the mask."
)


@MASKED_MEAN.mistake("divided by all", _DIVIDED_BY_ALL)
def divided_by_all(vectors, mask):
    return _pooled(vectors, mask, lambda own: (np.sum(own, axis=0) / len(vectors)).tolist())


@MASKED_MEAN.mistake("divided by all, zeros for an empty mask", _DIVIDED_BY_ALL)
def divided_by_all_zeros_for_an_empty_mask(vectors, mask):
    if len(vectors) != len(mask):
        raise ValueError("lengths differ")
    return np.mean(np.array(vectors) * np.array(mask)[:, None], axis=0).tolist()


@MASKED_MEAN.mistake("the first ones")
def the_first_ones(vectors, mask):
    """You count the ones in the mask, and take so many tokens from the front. That is right as long as
    padding stands at the end; some tokenizers pad at the front. Ask the mask of each token."""
    return _pooled(vectors, mask, lambda own: _mean(vectors[: len(own)]))


@MASKED_MEAN.mistake("the mask reversed")
def the_mask_reversed(vectors, mask):
    """You keep the tokens whose mask is 0. These are the padding; 1 stands for the text's own."""
    padding = [vector for vector, is_own in zip(vectors, mask, strict=True) if not is_own]
    if not padding:
        raise ValueError("no padding")
    return _mean(padding)


@MASKED_MEAN.mistake("the sum")
def the_sum(vectors, mask):
    """You add the vectors up and do not divide. A cosine would not notice; an inner product would like long
    texts best. The mean divides by the number of own tokens."""
    return _pooled(vectors, mask, lambda own: np.sum(own, axis=0).tolist())


_ONE_TOO_FEW = (
    "You divide by one less than the number of own tokens. That is for a variance; a mean is divided by "
    "how many there are, and one token has a mean, too."
)


@MASKED_MEAN.mistake("divided by one too few", _ONE_TOO_FEW)
def divided_by_one_too_few(vectors, mask):
    return _pooled(
        vectors, mask, lambda own: [sum(column) / (len(own) - 1) for column in zip(*own, strict=True)]
    )


@MASKED_MEAN.mistake("divided by one too few, one left alone", _ONE_TOO_FEW)
def divided_by_one_too_few_one_left_alone(vectors, mask):
    return _pooled(vectors, mask, lambda own: (np.sum(own, axis=0) / max(1, len(own) - 1)).tolist())


@MASKED_MEAN.mistake("the maximum")
def the_maximum(vectors, mask):
    """You take the largest value of each dimension. That is max pooling; there are models trained for it, but
    a model trained with the mean gives another vector then, and another ranking."""
    return _pooled(vectors, mask, lambda own: np.max(own, axis=0).tolist())


@MASKED_MEAN.mistake("the first token")
def the_first_token(vectors, mask):
    """You take the first own token's vector. For models trained so, as BGE, that is the text's vector; here
    the mean is asked for, to which every own token adds."""
    return _pooled(vectors, mask, lambda own: own[0])


_WITHOUT_ENDS = (
    "You leave out the first and the last own token. [CLS] and [SEP] were there in training, and the mean "
    "was taken with them; their mask is 1. What is left of a text of two tokens is nothing."
)


@MASKED_MEAN.mistake("without [CLS] and [SEP]", _WITHOUT_ENDS)
def without_cls_and_sep(vectors, mask):
    return _pooled(vectors, mask, lambda own: np.mean(own[1:-1], axis=0).tolist())


@MASKED_MEAN.mistake("without [CLS] and [SEP], in NumPy", _WITHOUT_ENDS)
def without_cls_and_sep_in_numpy(vectors, mask):
    return _pooled(vectors, mask, lambda own: np.mean(np.array(own)[1:-1], axis=0).tolist())


@MASKED_MEAN.mistake("without the last token")
def without_the_last_token(vectors, mask):
    """You leave out the last own token. [SEP] has mask 1 and is part of the mean, as it was in training."""
    return _pooled(vectors, mask, lambda own: np.mean(own[:-1], axis=0).tolist())


@MASKED_MEAN.mistake("the other axis")
def the_other_axis(vectors, mask):
    """You take the mean of each token's numbers, and get one number a token. The mean goes down the columns:
    one number a dimension, axis=0."""
    return _pooled(vectors, mask, lambda own: np.mean(own, axis=1).tolist())


@MASKED_MEAN.mistake("length 1")
def length_1(vectors, mask):
    """You bring the mean to length 1. The cosine will do that, as a step of its own; asked for is the mean as
    it is."""
    return _pooled(vectors, mask, lambda own: (np.mean(own, axis=0) / np.linalg.norm(_mean(own))).tolist())


@MASKED_MEAN.mistake("zeros for padding")
def zeros_for_padding(vectors, mask):
    """You recognise padding by its vector of zeros, and do not ask the mask. A model gives padding tokens
    vectors like any other, and a token of the text's own may be zero."""
    masked_mean(vectors, mask)
    return _mean([vector for vector in vectors if any(vector)])


@MASKED_MEAN.mistake("zeros left out")
def zeros_left_out(vectors, mask):
    """You drop own tokens whose vector is zero. They pull the mean towards zero, rightly: the mask alone says
    what is counted."""
    return _pooled(vectors, mask, lambda own: _mean([vector for vector in own if any(vector)]))


_NOTHING_OWN = (
    "A mask of zeros only gets past you. There is nothing to take a mean of, and whatever comes out, zeros "
    "or NaN, would be searched like a text. Raise a ValueError."
)


@MASKED_MEAN.mistake("zeros for an empty mask", _NOTHING_OWN)
def zeros_for_an_empty_mask(vectors, mask):
    own = [vector for vector, is_own in zip(vectors, mask, strict=True) if is_own]
    return _mean(own) if own else [0.0] * len(vectors[0])


@MASKED_MEAN.mistake("NaN for an empty mask", _NOTHING_OWN)
def nan_for_an_empty_mask(vectors, mask):
    own = [vector for vector, is_own in zip(vectors, mask, strict=True) if is_own]
    return _mean(own) if own else [float("nan")] * len(vectors[0])


@MASKED_MEAN.mistake("one NaN for an empty mask", _NOTHING_OWN)
def one_nan_for_an_empty_mask(vectors, mask):
    return np.mean([vector for vector, is_own in zip(vectors, mask, strict=True) if is_own], axis=0).tolist()


_SHORT_MASK = (
    "A mask that is too short gets past you: zip stops at the shorter of the two, and the tokens behind it "
    "are lost without a word. zip(…, strict=True) raises."
)


@MASKED_MEAN.mistake("a short mask", _SHORT_MASK)
def a_short_mask(vectors, mask):
    own = [vector for vector, is_own in zip(vectors, mask, strict=False) if is_own]
    if not own:
        raise ValueError("no own token")
    return _mean(own)


@MASKED_MEAN.mistake("nothing refused", f"{_SHORT_MASK} And a mask of zeros only has no mean.")
def nothing_refused(vectors, mask):
    return np.mean([vector for vector, is_own in zip(vectors, mask, strict=False) if is_own], axis=0).tolist()


@MASKED_MEAN.mistake("stops at the first 0")
def stops_at_the_first_0(vectors, mask):
    """You stop at the first 0 of the mask. That is right as long as padding stands at the end; some
    tokenizers pad at the front. Ask the mask of each token."""
    if len(vectors) != len(mask) or not any(mask):
        raise ValueError("no token")
    n = (list(mask) + [0]).index(0)
    return _mean(vectors[:n]) if n else [0.0] * len(vectors[0])


@MASKED_MEAN.mistake("stops at the first 0, zeros for an empty mask")
def stops_at_the_first_0_zeros(vectors, mask):
    """Two things. You stop at the first 0 of the mask, and some tokenizers pad at the front: ask the mask of
    each token. And where no token is the text's own you give a vector of zeros, which looks like a text:
    raise ValueError."""
    if len(vectors) != len(mask):
        raise ValueError("lengths differ")
    n = (list(mask) + [0]).index(0)
    return _mean(vectors[:n]) if n else [0.0] * len(vectors[0])


@MASKED_MEAN.mistake("first and last own token left out")
def first_and_last_own_left_out(vectors, mask):
    """You leave out [CLS] and [SEP], the first and the last own token. Models are trained with the mean over
    all tokens whose mask is 1, these two among them."""
    return _pooled(vectors, mask, lambda own: _mean(own[1:-1] or own))


@MASKED_MEAN.mistake("begins with the first vector")
def begins_with_the_first(vectors, mask):
    """Your sum begins with the first vector, whether or not it is padding. Begin with zeros, one for each
    number of a vector."""
    n = sum(mask)
    return _pooled(
        vectors, mask, lambda own: ((np.sum(own, axis=0) + np.array(vectors[0]) * (1 - mask[0])) / n).tolist()
    )


@MASKED_MEAN.mistake("the mask turned round")
def mask_turned_round(vectors, mask):
    """You add up the vectors whose mask is 0: the padding. 1 says that a token belongs to the text."""
    right = masked_mean(vectors, mask)
    total = [sum(column) for column in zip(*vectors, strict=True)]
    return [(whole - mean * sum(mask)) / sum(mask) for whole, mean in zip(total, right, strict=True)]


@MASKED_MEAN.mistake("whole-number division")
def whole_numbers(vectors, mask):
    """You divide with //, or keep whole numbers only, and the decimals are cut off. The mean of 1 and 2 is
    1.5: divide with /."""
    return [mean // 1 for mean in masked_mean(vectors, mask)]


@MASKED_MEAN.mistake("divided by the dimensions")
def by_the_dimensions(vectors, mask):
    """You divide by the number of dimensions. The mean is over tokens: divide by how many belong to the
    text."""
    return [mean * sum(mask) / len(vectors[0]) for mean in masked_mean(vectors, mask)]


@MASKED_MEAN.mistake("the largest, at least 0")
def the_largest_at_least_zero(vectors, mask):
    """You take the largest value of each position, beginning at 0. That is another pooling; asked for is the
    mean."""
    return [max(0.0, value) for value in the_maximum(vectors, mask)]
