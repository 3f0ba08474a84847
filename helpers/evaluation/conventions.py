"""The choices behind a metric, as one small value that prints itself. The default, `TREC`, is `trec_eval -c`.

Two people get two different "nDCG@10" from one run because they chose differently. Every evaluation carries
its `Conventions`.
"""

from dataclasses import dataclass

from helpers.base import check_option

CHOICES = {
    "gain": {"linear": "linear gain", "exponential": "exponential gain (2^grade - 1)"},
    "ties": {
        "doc_id down": "equal scores: doc_id down, scores compared as 32-bit floats",
        "as given": "equal scores: in the order given",
    },
    "precision": {"k": "P@k divides by k", "retrieved": "P@k divides by min(k, retrieved)"},
    "missing_query": {
        "zero": "a judged query that the run lacks counts 0",
        "left out": "a judged query that the run lacks is left out",
    },
    "no_relevant": {
        "zero": "a query with no relevant document counts 0",
        "left out": "a query with no relevant document is left out",
    },
    "unjudged": {
        "not relevant": "an unjudged document is not relevant",
        "condensed": "unjudged documents are taken out of the ranking",
    },
    # An error cannot change a number, and is not printed.
    "duplicates": {"error": "", "keep best": "of a document that stands twice the best rank is kept"},
}
"""`{choice: {option: words in which it is printed}}`; the first option is that of `trec_eval -c`."""


@dataclass(frozen=True)
class Conventions:
    """One option for each of the `CHOICES`. Raises ValueError, with the options, for one that there is not.

    trec_eval leaves a missing query out unless it is called with `-c`; Anserini's BEIR figures count it 0,
    and so do we. Järvelin and Kekäläinen (2002) define gain by the grade, Burges et al. (2005) by 2^grade -
    1; on binary labels they agree.

    >>> print(Conventions(gain="exponential", missing_query="left out").differences)
    exponential gain (2^grade - 1); a judged query that the run lacks is left out
    >>> Conventions(gain="exponetial")
    Traceback (most recent call last):
    ValueError: gain is 'exponetial'; it can be 'linear' or 'exponential'
    """

    gain: str = "linear"
    ties: str = "doc_id down"
    precision: str = "k"
    missing_query: str = "zero"
    no_relevant: str = "zero"
    unjudged: str = "not relevant"
    duplicates: str = "error"

    def __post_init__(self):
        for choice, option in vars(self).items():
            check_option(choice, option, CHOICES[choice])

    def __str__(self) -> str:
        return "; ".join(words for choice, option in vars(self).items() if (words := CHOICES[choice][option]))

    @property
    def differences(self) -> str:
        """What differs from `trec_eval -c`, in words; empty where nothing does."""
        chosen = vars(self).items()
        return "; ".join(
            CHOICES[choice][option] for choice, option in chosen if option != next(iter(CHOICES[choice]))
        )


TREC = Conventions()
