import { privateKeyToAccount } from 'viem/accounts'

// Prints the address of a private key, or its signature of a text.

const [key, text] = process.argv.slice(2)
const account = privateKeyToAccount(key as `0x${string}`)
process.stdout.write(
  text === undefined ? account.address : await account.signMessage({ message: text }),
)
