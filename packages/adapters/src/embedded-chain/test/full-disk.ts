import { isFailure } from '@heirloom/core'
import { padHex } from 'viem'
import { embeddedChain } from '../embedded-chain.ts'
import { history, send } from './requests.ts'
import { signTransaction } from './transactions.ts'

// Sends a transaction that fits on the disk, one that does not, and one that fits again.
const [folder = ''] = process.argv.slice(2)
const chain = await embeddedChain({ folder, now: Date.now, funded: [] })
const large = padHex('0x', { size: 1_000_000 })

await send(chain, await signTransaction({ nonce: 0 }))
const before = await history(chain)
const error = await send(
  chain,
  await signTransaction({ nonce: 1, data: large, gas: 16_000_000n }),
).catch((cause: unknown) => cause)
const known = isFailure(error, 'ledger/unavailable') ? error : undefined
const [failure, reason] = known ? [known.code, known.facts.reason] : [String(error)]
const during = await history(chain)
await send(chain, await signTransaction({ nonce: 1 }))
const after = await history(chain)
await chain.close()
process.stdout.write(JSON.stringify({ failure, reason, before, during, after }))
