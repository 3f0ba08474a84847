#!/usr/bin/env bash
# The regression gate: does the search that you are about to ship still find what the baseline found?
#
#   bash gate.sh                  compares with baseline.json
#   bash gate.sh --other-corpus   the same, where the documents have changed on purpose since the baseline
#   bash gate.sh --fail-if-unsure the same, and YELLOW stops it: with 3, or with UNSURE where that is another number
#
# It ends with 0 where the answer is GREEN (not worse by more than the limit), with 1 where it is RED (worse by more),
# with UNSURE where it is YELLOW (these queries cannot tell), and with 2 where it could not be asked.
line_end=
[ -z "$line_end" ] || { echo "gate.sh: it was saved with Windows line ends; save it with LF: sed -i 's/\r$//' gate.sh" >&2; exit 2; } #
if [ -z "${BASH_VERSION:-}" ]; then
  echo "gate.sh: this is no bash; run it with bash: bash gate.sh" >&2
  exit 2
fi
set -uo pipefail
trap 'exit 130' INT # also between two steps, where bash alone would go on
here="${BASH_SOURCE[0]}"
while [ -L "$here" ]; do # a link to the script: the project is where the script itself lies
  there="$(readlink "$here")"
  case "$there" in /*) here="$there" ;; *) here="$(dirname "$here")/$there" ;; esac
done
CDPATH="" cd -- "$(dirname -- "$here")" || exit 2
case " $* " in
  *" -h "* | *" --help "*) sed -n '2,9s/^# \{0,1\}//p' gate.sh; echo "Other options are those of \`workbench gate\`; see workbench gate --help"; exit 0 ;;
esac
rm -f reports/gate.md reports/gate.xml # the answer of an earlier run is no answer of this one

# What you are about to ship. Empty, it is the search that baseline.json is of, as it is now: your program, the file of its
# results, or one of our backends with the same settings. To compare another with it, give arguments of `workbench snapshot`,
# which begin with --, or a search of your own: module:function, or a file of its results (a TREC run, or JSON lines).
SYSTEM="${SYSTEM:-}"
# Which metric may fall, and by how much.
LIMIT="${LIMIT:-nDCG@10:0.02}"
# What YELLOW ends with: 0 lets the change through with a warning, 3 stops it. (In GitLab, 3 together with
# `allow_failure: exit_codes: [3]` lets it through in orange.) With thirty queries many real changes are YELLOW.
UNSURE="${UNSURE:-0}"
# The program. `python -m workbench` does the same.
WORKBENCH="${WORKBENCH:-workbench}"

cannot_ask() {
  local code=$?
  case "$code" in 130 | 141) exit "$code" ;; esac # stopped with Ctrl-C, or whoever read the output has gone (| head)
  echo "gate.sh: $1" >&2
  # CI shows these in place of an answer; what went wrong is in the log.
  if [ -z "${CI:-}" ] && [ ! -d reports ]; then exit 2; fi
  mkdir -p reports
  printf '## Retrieval gate: not asked\n\n%s\n\nThe log of the job says more.\n' "$1" >reports/gate.md
  printf '%s\n' '<testsuites><testsuite name="retrieval gate" tests="1" failures="0" errors="1"><testcase name="retrieval gate">' \
    '<error message="the gate could not be asked; the log says why"/></testcase></testsuite></testsuites>' >reports/gate.xml
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat reports/gate.md 2>/dev/null >>"$GITHUB_STEP_SUMMARY"; fi
  if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::error title=retrieval gate::$1"; fi
  exit 2
}

case "$UNSURE" in
  [0-9] | [0-9][0-9]) ;;
  *) cannot_ask "UNSURE is '$UNSURE'; needed an exit code from 0 to 99, as 0 (let it through) or 3 (stop it)" ;;
esac
read -r SYSTEM <<<"$SYSTEM" # without blanks around it, as YAML may give them
SYSTEM="${SYSTEM#--system }"
before=""
for word in "$@"; do # the options of `workbench gate` mean the same here
  if [ "$word" = "--fail-if-unsure" ] && [ "$UNSURE" -eq 0 ]; then UNSURE=3; fi
  case "$before $word" in
    "--limit ${LIMIT%%:*}:"* | *" --limit=${LIMIT%%:*}:"*)
      word="${word#--limit=}"
      cannot_ask "LIMIT is $LIMIT, and --limit $word is of the same metric: say LIMIT=$word in place of it" ;;
  esac
  before="$word"
done
# What the pages say of YELLOW is what this script ends with.
stops=""
if [ "$UNSURE" -ne 0 ]; then stops="--fail-if-unsure"; fi
case "$SYSTEM" in
  --*) ;;
  *" --"*) cannot_ask "SYSTEM is '$SYSTEM'; arguments of \`workbench snapshot\` begin with --, as in SYSTEM=\"--backend $SYSTEM\"" ;;
esac
case "$LIMIT" in
  *[[:space:]]* | *:*:*) cannot_ask "LIMIT is '$LIMIT'; needed one METRIC:DROP, and for a second: bash gate.sh --limit MRR:0.05" ;;
esac
lost=""
[ -f corpus/corpus.json ] || lost="; corpus/ is not in $PWD: put it back, and commit it, for CI needs it"
for file in datasets/gold.json baseline.json; do
  [ -f "$file" ] || cannot_ask "$file is not in $PWD; label some queries (1_label.ipynb, or workbench pool and workbench import judgments), then measure: 2_evaluate.ipynb, or workbench measure"
done
hidden=""
if [ -e workbench ] || [ -e workbench.py ]; then
  hidden="; \`workbench\` of your own in $PWD hides the package from \`python -m\`: set WORKBENCH=workbench, the command"
fi
# shellcheck disable=SC2086  # WORKBENCH and SYSTEM are several words each
$WORKBENCH --version || cannot_ask "\`$WORKBENCH\` cannot be started; install the package, or set WORKBENCH$hidden"

measured=(--as-in baseline.json) # under its budget, and its search where no other is named
case "$SYSTEM" in
  "") ;;
  --*)
    # The snapshot by its id, because the one that was built last need not be this one: the same settings give an old one again.
    # shellcheck disable=SC2086
    snapshot="$($WORKBENCH snapshot --corpus corpus $SYSTEM --quiet)" || cannot_ask "there is no snapshot of SYSTEM, which is '$SYSTEM'$lost"
    echo "snapshot $snapshot: $SYSTEM"
    measured+=(--snapshot "$snapshot")
    ;;
  *) measured+=(--system "$SYSTEM") ;;
esac
# Its numbers are in the report; here they would hide the verdict. What goes wrong is said on stderr all the same.
# shellcheck disable=SC2086
$WORKBENCH evaluate --corpus corpus "${measured[@]}" --dataset datasets/gold.json \
  --out reports/candidate.json >/dev/null || cannot_ask "the system could not be evaluated$lost"
$WORKBENCH report reports/candidate.json --out reports/candidate.html || cannot_ask "there is no page of the report"

# What it says on stderr is kept: only reports that cannot be compared have the cure below.
code=0
# shellcheck disable=SC2086
{ said="$($WORKBENCH gate baseline.json reports/candidate.json --limit "$LIMIT" $stops \
  --markdown reports/gate.md --junit reports/gate.xml "$@" 2>&1 >&3)" || code=$?; } 3>&1
if [ -n "$said" ]; then echo "$said" >&2; fi
if [ "$code" -eq 0 ] && [ -z "$SYSTEM" ] && grep -q "are the same snapshot" reports/gate.md; then
  warning="this guards no search of yours yet: baseline.json is of one of ours, with the same settings"
  echo "gate.sh: $warning; name your own if you have not (workbench systems --add NAME=SYSTEM), delete baseline.json, and measure (workbench measure)" >&2
  if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::warning title=retrieval gate::$warning"; fi
fi
if [ "$code" -eq 0 ] && grep -q "^## Retrieval gate: YELLOW" reports/gate.md; then code=3; fi
case "$code" in
  0 | 1) ;;
  130 | 141) exit "$code" ;;
  3)
    warning="YELLOW is not GREEN: these queries cannot tell whether search got worse; read those that did"
    echo "gate.sh: $warning" >&2
    if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::warning title=retrieval gate::$warning"; fi
    code="$UNSURE"
    ;;
  *)
    case "$said" in
      *"cannot be compared"*)
        cannot_ask "after new labels or another budget measure anew (2_evaluate.ipynb, or workbench measure); if only the documents have changed: bash gate.sh --other-corpus" ;;
      *) cannot_ask "the two reports were not compared; the lines above say why" ;;
    esac
    ;;
esac
# A page of the job in GitHub Actions
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && ! cat reports/gate.md 2>/dev/null >>"$GITHUB_STEP_SUMMARY"; then
  echo "gate.sh: the page of the job, $GITHUB_STEP_SUMMARY, cannot be written; it is in reports/gate.md" >&2
fi
exit "$code"
