# The issuer of the dollar has blocked Ada: what she is paid becomes her credit, which she has paid out to
# another account.
set -euo pipefail
as() { export HEIRLOOM_PRIVATE_KEY=$(cat "$1.key"); }
export HEIRLOOM_RELAYED=true
id=$(node -p 'require("./snapshot.json").tokenId')

as ben
npx heirloom buy "$id" --max-price 5usd --as-wallet
npx heirloom royalty "$id" 0.5usd --yes --as-wallet
npx heirloom download "$id" -o bought.json
cmp rented.json bought.json

as ada
npx heirloom credit
if npx heirloom withdraw --dollars 2> refusal.txt; then exit 1; fi
npx heirloom withdraw --dollars --to "$(cat cleo.address)" --dry-run
npx heirloom withdraw --dollars --to "$(cat cleo.address)"
as ben
npx heirloom royalty "$id" 0.25usd --yes --as-wallet
