# Two accounts with dollars and nothing else, at a server that they never met: a memory is made, listed,
# rented, opened and forked.
set -euo pipefail
as() { export HEIRLOOM_PRIVATE_KEY=$(cat "$1.key"); }

as ada
echo '{"data":{"learned":["users prefer short answers"]},"metadata":{"category":"support"}}' > memory.json
npx heirloom snapshot memory.json --title "A year at the help desk" --registry "$REGISTRY" --as-wallet --relayed --json > snapshot.json
id=$(node -p 'require("./snapshot.json").tokenId')
npx heirloom list "$id" --price 5usd --rent 0.25usd --fork-price 2usd --royalty 5% --as-wallet --relayed

as ben
npx heirloom browse "help desk"
npx heirloom rent "$id" --days 4 --as-wallet --relayed --dry-run
npx heirloom rent "$id" --days 4 --max-price 1usd --as-wallet --relayed
npx heirloom download "$id" -o rented.json
npx heirloom verify "$id" rented.json --rpc-url "$HEIRLOOM_RPC_URL" --registry "$REGISTRY"
npx heirloom fork "$id" --max-price 2usd --max-royalty 5% --as-wallet --relayed --json > fork.json
