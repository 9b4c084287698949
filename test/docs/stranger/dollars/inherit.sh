# Ada has been silent for her silence, or her heir has waited for the notice.
set -euo pipefail
export HEIRLOOM_PRIVATE_KEY=$(cat ben.key) HEIRLOOM_RELAYED=true
npx heirloom heir "$@"
