# Ben gives the memory back to Ada, who leaves it to him.
set -euo pipefail
as() { export HEIRLOOM_PRIVATE_KEY=$(cat "$1.key"); }
export HEIRLOOM_RELAYED=true
id=$(node -p 'require("./snapshot.json").tokenId')

as ben
npx heirloom transfer "$id" "$(cat ada.address)" --yes
as ada
npx heirloom download "$id"
npx heirloom heir name "$(cat ben.address)" --silence 30 --notice 30 --yes
npx heirloom heir heartbeat
npx heirloom heir show
as ben
if npx heirloom heir announce "$(cat ada.address)" 2> too-early.txt; then exit 1; fi
