#!/usr/bin/env bash
# The regression gate: does the search that you are about to ship still find what the baseline found?
#
#   bash gate.sh                  compares with baseline.json
#   bash gate.sh --other-corpus   the same, where the documents have changed on purpose since the baseline
#
# It ends with 0 where the answer is GREEN (not worse by more than the limit), with 1 where it is RED (worse by more),
# with UNSURE where it is YELLOW (these queries cannot tell), and with 2 where something is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# What you are about to ship: arguments of `python -m workbench build`. Change this line together with your system.
SYSTEM="${SYSTEM:---backend csr-bm25}"
# Which metric may fall, and by how much.
LIMIT="${LIMIT:-nDCG@10:0.02}"
# What YELLOW ends with: 0 lets the change through with a warning, 3 stops it. (In GitLab, 3 together with
# `allow_failure: exit_codes: [3]` lets it through in orange.) With thirty queries many real changes are YELLOW.
UNSURE="${UNSURE:-0}"
# What one query may cost. It must be the budget of 2_evaluate.ipynb, with which the baseline was made.
BUDGET="--max-total-items 10"
PYTHON="${PYTHON:-python}"

for file in datasets/gold.json baseline.json; do
  if [ ! -f "$file" ]; then
    echo "gate.sh: $file is not there; label some queries in 1_label.ipynb, then run 2_evaluate.ipynb" >&2
    exit 2
  fi
done

# shellcheck disable=SC2086  # SYSTEM and BUDGET are several arguments each
built="$("$PYTHON" -m workbench build --corpus corpus $SYSTEM)"
grep -E '^(corpus|snapshot|backend) ' <<<"$built"
# By its id, because the snapshot that was built last need not be this one: the same settings give an old one again.
if [[ ! "$built" =~ snapshot[[:space:]]+([0-9a-f]{16}) ]]; then
  echo "gate.sh: \`build\` named no snapshot" >&2
  exit 2
fi
snapshot="${BASH_REMATCH[1]}"

# Its numbers are in the report; here they would hide the verdict. What goes wrong is said on stderr all the same.
"$PYTHON" -m workbench eval --corpus corpus --snapshot "$snapshot" --dataset datasets/gold.json $BUDGET --out reports/candidate.json >/dev/null
"$PYTHON" -m workbench report reports/candidate.json --out reports/candidate.html

code=0
"$PYTHON" -m workbench compare baseline.json reports/candidate.json --fail-if-worse "$LIMIT" --fail-if-unsure "$@" || code=$?
if [ "$code" -eq 3 ]; then
  warning="YELLOW is not GREEN: these queries cannot tell whether search got worse; read those that did"
  echo "gate.sh: $warning" >&2
  if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::warning title=retrieval gate::$warning"; fi
  code="$UNSURE"
fi
if [ "$code" -eq 2 ]; then
  echo "gate.sh: after new labels run 2_evaluate.ipynb; if only the documents have changed: bash gate.sh --other-corpus" >&2
fi
exit "$code"
