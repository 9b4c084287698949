import { createInterface } from 'node:readline'
import { privateKeyToAccount } from 'viem/accounts'

// Answers each line, a JSON list of a private key and a text, with the signature of the text, or
// without a text with the address of the key.

for await (const line of createInterface({ input: process.stdin })) {
  const [key, text] = JSON.parse(line)
  const account = privateKeyToAccount(key)
  const answer = text === undefined ? account.address : await account.signMessage({ message: text })
  process.stdout.write(`${answer}\n`)
}
