"""Exercise: the mean that people would find, from a judge's verdicts and a few labels."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def corrected_mean(labels, verdicts, more_verdicts):
    correction = sum(label - said for label, said in zip(labels, verdicts, strict=True)) / len(labels)
    return sum(more_verdicts) / len(more_verdicts) + correction


CORRECTED_MEAN = Exercise(
    name="CORRECTED_MEAN",
    task="""\
Write `corrected_mean(labels, verdicts, more_verdicts)`: what share would people find, if they labelled \
everything?

`labels[i]` is what people said of an item and `verdicts[i]` what the judge said of the same item; \
`more_verdicts` are the judge's verdicts on other items, which nobody labelled. All are numbers, none of \
the three lists is empty. **Convention** (prediction-powered inference): the mean of `more_verdicts`, plus \
the mean of label − verdict. It is not cut off at 0 or 1. Another number of labels than of verdicts raises \
a ValueError.""",
    reference=corrected_mean,
    cases=(
        Case(([1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0, 0, 0, 0, 1]), "3/8, too kind by 1/4: 1/8"),
        Case(([1, 0], [1, 0], [1, 1, 1, 0]), "no error on the labelled ones: the verdicts stand"),
        Case(([1, 1, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]), "too strict by 2/4: 1/4 + 2/4"),
        Case(([0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0]), "too kind by 1: the estimate is below 0, and stays"),
        Case(([0.5, 1.0], [0.25, 0.25], [0.5, 0.25, 0.75]), "scores are numbers too: 0.5 + 0.5"),
        Case(([1, 0, 1], [1, 0, 0], [0]), "three labels and one more verdict"),
        Case(
            ([1, 0, 1, 1, 0, 0, 1], [1, 1, 0, 1, 1, 1, 1], [1, 0, 0, 1, 1, 0, 1, 0, 0]),
            "too kind by 2/7: 4/9 − 2/7",
        ),
        Case(([2], [0], [1, 1, 0, 0]), "grades, and a single label: 1/2 + 2"),
        Case(([1, 0, 0], [0, 1, 0], [1, 0]), "errors of +1 and -1 cancel: 1/2"),
        Case(([1, 0, 1], [1, 0], [1, 0]), "three labels and two verdicts"),
        Case(([1], [1, 0], [1, 0]), "one label and two verdicts"),
    ),
    hints=(
        "Two means. What does the judge say where nobody looked? How far was it off where somebody did?",
        "The correction is the mean of label - verdict over the labelled items: negative for a judge that is "
        "too kind.",
        "sum(more_verdicts) / len(more_verdicts) + sum(label - said for label, said in zip(labels, "
        "verdicts)) "
        "/ len(labels), after a look at the two lengths.",
    ),
)


def _mean(values):
    return sum(values) / len(values)


def _checked(labels, verdicts):
    if len(labels) != len(verdicts):
        raise ValueError


def _errors(labels, verdicts):
    _checked(labels, verdicts)
    return [label - said for label, said in zip(labels, verdicts, strict=True)]


@CORRECTED_MEAN.mistake("the judge alone")
def the_judge_alone(labels, verdicts, more_verdicts):
    """You return the mean of the judge's verdicts. All of them share its error; the labels say how large
    that is."""
    _checked(labels, verdicts)
    return _mean(more_verdicts)


@CORRECTED_MEAN.mistake("the labels alone")
def the_labels_alone(labels, verdicts, more_verdicts):
    """You return the mean of the labels. That is right on average, and throws away what the judge has
    read."""
    _checked(labels, verdicts)
    return _mean(labels)


@CORRECTED_MEAN.mistake("correction turned")
def correction_turned(labels, verdicts, more_verdicts):
    """You correct the wrong way round. A judge that is too kind must come down: add label - verdict, or
    subtract verdict - label."""
    return _mean(more_verdicts) - _mean(_errors(labels, verdicts))


@CORRECTED_MEAN.mistake("all verdicts in the mean")
def all_verdicts_in_the_mean(labels, verdicts, more_verdicts):
    """You take the mean over all verdicts, those on labelled items among them. By this convention the first
    mean is of `more_verdicts` alone."""
    return _mean([*verdicts, *more_verdicts]) + _mean(_errors(labels, verdicts))


@CORRECTED_MEAN.mistake("the sum of the differences")
def the_sum_of_the_differences(labels, verdicts, more_verdicts):
    """You add the sum of label - verdict. Divide it by the number of labels."""
    return _mean(more_verdicts) + sum(_errors(labels, verdicts))


@CORRECTED_MEAN.mistake("spread over all items")
def spread_over_all_items(labels, verdicts, more_verdicts):
    """You divide the differences by the number of all items. The labelled ones are a sample: their mean
    error is the estimate for everything."""
    errors = _errors(labels, verdicts)
    return _mean(more_verdicts) + sum(errors) / (len(labels) + len(more_verdicts))


@CORRECTED_MEAN.mistake("labels in the place of verdicts")
def labels_in_the_place_of_verdicts(labels, verdicts, more_verdicts):
    """You put the labels in the place of the verdicts where there are any, and take the mean of all. The
    unlabelled ones, nearly all, keep the judge's error."""
    _checked(labels, verdicts)
    return _mean([*labels, *more_verdicts])


@CORRECTED_MEAN.mistake("halfway")
def halfway(labels, verdicts, more_verdicts):
    """You take the middle of the labels' mean and the verdicts' mean. Half of the judge's error stays."""
    _checked(labels, verdicts)
    return (_mean(labels) + _mean(more_verdicts)) / 2


@CORRECTED_MEAN.mistake("a ratio")
def a_ratio(labels, verdicts, more_verdicts):
    """You multiply by labels / verdicts. That is another estimator, without a value where the judge said
    nothing but 0. Here the difference is added."""
    _checked(labels, verdicts)
    return _mean(more_verdicts) * _mean(labels) / _mean(verdicts)


@CORRECTED_MEAN.mistake("errors without sign")
def errors_without_sign(labels, verdicts, more_verdicts):
    """You take the size of each difference. Errors to one side and to the other cancel; keep the sign."""
    return _mean(more_verdicts) + _mean([abs(error) for error in _errors(labels, verdicts)])


@CORRECTED_MEAN.mistake("cut off at 0 and 1")
def cut_off(labels, verdicts, more_verdicts):
    """You cut the estimate off at 0 and 1. A share below 0 says that the sample is small; cut off, the mean
    over many samples would be too high. And the numbers may be grades."""
    return min(1, max(0, corrected_mean(labels, verdicts, more_verdicts)))


@CORRECTED_MEAN.mistake("unequal lists let through")
def unequal_lists_let_through(labels, verdicts, more_verdicts):
    """Another number of labels than of verdicts passes without a word. Then it is not known which belong
    together: raise a ValueError."""
    errors = [label - said for label, said in zip(labels, verdicts, strict=False)]
    return _mean(more_verdicts) + _mean(errors)


@CORRECTED_MEAN.mistake("a ratio, where there is one")
def a_ratio_where_there_is_one(labels, verdicts, more_verdicts):
    """You multiply by labels / verdicts. That is another estimator, without a value where the judge said
    nothing but 0. Here the difference is added."""
    _checked(labels, verdicts)
    return _mean(more_verdicts) * (sum(labels) / sum(verdicts) if sum(verdicts) else 1)


@CORRECTED_MEAN.mistake("spread over the verdicts")
def spread_over_the_verdicts(labels, verdicts, more_verdicts):
    """You divide the differences by the number of `more_verdicts`. They come from the labelled items:
    divide by how many of these there are."""
    return _mean(more_verdicts) + sum(_errors(labels, verdicts)) / len(more_verdicts)


@CORRECTED_MEAN.mistake("verdicts added up")
def verdicts_added_up(labels, verdicts, more_verdicts):
    """You add up `more_verdicts` and do not divide. The estimate starts from their mean."""
    return sum(more_verdicts) + _mean(_errors(labels, verdicts))


@CORRECTED_MEAN.mistake("the correction alone")
def the_correction_alone(labels, verdicts, more_verdicts):
    """You return the mean difference between label and verdict. It corrects the mean of `more_verdicts`: add
    the two."""
    return _mean(_errors(labels, verdicts))
