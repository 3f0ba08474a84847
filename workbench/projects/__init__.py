"""Your own documents as an evaluation project, made in one step."""

from workbench.projects.drafts import draft_queries
from workbench.projects.new import TEMPLATE, duplicates_in_words, new_project
