"""Your own documents as an evaluation project: made in one step, labelled in one notebook, measured in another."""

from helpers.projects.drafts import TEMPLATES, draft_queries
from helpers.projects.labelling import Labelling
from helpers.projects.new import NewProject, new_project
from helpers.projects.pool_systems import SYSTEMS

__all__ = ["SYSTEMS", "TEMPLATES", "Labelling", "NewProject", "draft_queries", "new_project"]
