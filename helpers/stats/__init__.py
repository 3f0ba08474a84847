"""Statistics on scores per query and on labels. Nothing here knows what a document or a metric is,
but for this: a row of names such as nDCG@10 is no row of queries."""

from helpers.base import name_wrong_types
from helpers.stats.corrections import benjamini_hochberg, holm
from helpers.stats.intervals import (
    CANNOT_TELL,
    NOT_WORSE,
    WORSE,
    non_inferiority,
    t_interval,
    t_intervals,
)
from helpers.stats.kappa import check_in_order, cohen_kappa
from helpers.stats.paired_tests import (
    DECIMALS,
    as_series,
    check_alike,
    effect_sizes,
    in_one_order,
    paired,
    paired_significance,
    welch,
    wilcoxon,
)
from helpers.stats.power_analysis import (
    detectable_difference,
    false_alarm_rate,
    normal_power,
    pilot_interval,
    power,
    power_curve,
    queries_needed,
)
from helpers.stats.prediction_powered import (
    as_values,
    best_power,
    neyman_allocation,
    prediction_powered,
    stratified_mean,
)
from helpers.stats.resampling import (
    Rng,
    bootstrap_interval,
    bootstrap_intervals,
    by_query,
    check_level,
    max_t,
    randomisation_test,
    randomisation_tests,
    resampled_means,
)
from helpers.stats.sequential import (
    BOUNDARIES,
    peeking_false_alarms,
    sequential_decision,
    sequential_levels,
    sequential_power,
)

name_wrong_types(globals())
