"""How good labels are: agreement, quality, pooling, judges, and what labels made by similarity flatter."""

from helpers.base import name_wrong_types
from helpers.judgments.agreement import agreement, first_pass, load_disagreements, load_second_labels
from helpers.judgments.judges import ChatJudge, CosineJudge, Judge, OverlapJudge, verdict_table
from helpers.judgments.pooling import judged_at_k, leave_out, pool, system_bounds, with_judgments
from helpers.judgments.quality import flips_to_reverse, overlap_frame, quote_paragraphs, relevant_documents
from helpers.judgments.similarity import circularity, create_domain_benchmark, semantic_accuracy_evaluation
from helpers.judgments.verdicts import JUDGES, load_verdicts, write_verdicts

name_wrong_types(globals())
