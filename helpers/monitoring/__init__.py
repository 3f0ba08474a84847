"""Retrieval in front of users: clicks, a monitor, an A/B test, interleaving."""

from helpers.base import name_wrong_types
from helpers.monitoring.ab_test import RetrievalABTest, split_power
from helpers.monitoring.feedback import clicks_by_document, clicks_by_rank, feedback_event
from helpers.monitoring.interleaving import (
    check_same_queries,
    credit,
    interleave,
    preference,
    preference_power,
    team_draft,
)
from helpers.monitoring.monitor import AccuracyMonitor
from helpers.monitoring.two_groups import cuped

name_wrong_types(globals())
