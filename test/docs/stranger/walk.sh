# The commands of a new user, in an empty folder with a server at HEIRLOOM_URL.
set -euo pipefail

# Imports and lists the memory of an agent of Letta.
npx heirloom import loop.af --title "What Loop knows" --json > imported.json
id=$(node -p 'require("./imported.json").tokenId')
npx heirloom list "$id" --price 0.05ether --fork-price 0.01ether --royalty 5%

# Buys it with a second wallet, and restores it.
node --input-type=module -e '
import { generatePrivateKey } from "viem/accounts"
console.log(generatePrivateKey())' > buyer.key
HEIRLOOM_PRIVATE_KEY=$(cat buyer.key) node buyer.mjs "$id"
HEIRLOOM_PRIVATE_KEY=$(cat buyer.key) npx heirloom export "$id" restored
cmp loop.af restored/loop.af

# Shows its lineage.
npx heirloom lineage "$id"
