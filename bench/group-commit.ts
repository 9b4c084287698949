import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedChain } from '@heirloom/adapters/chain'
import { embeddedContracts } from '@heirloom/adapters/contracts'
import { type ViemLedger, viemLedger } from '@heirloom/adapters/ledger'
import { sqliteStore } from '@heirloom/adapters/store'
import { digest, hash } from '@heirloom/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

// Tokens per second of a ledger on the embedded chain, one mint after another and 64 at a time, both
// with every job kept on disk. Rounds of the two take turns, so that a busy machine slows both.

const rounds = 7
const alone = 50
const together = 640
const inFlight = 64

const content = hash(`0x${'11'.repeat(32)}`)

function mint(ledger: ViemLedger): Promise<unknown> {
  const token = { contentHash: content, digest: digest(content), parent: undefined }
  return ledger.mint({ ...token, recipient: ledger.agent })
}

/** Returns how many mints a second are made with so many under way. */
async function rate(
  ledger: ViemLedger,
  { mints, lanes }: { readonly mints: number; readonly lanes: number },
): Promise<number> {
  let left = mints
  const began = performance.now()
  const work = async () => {
    while (left-- > 0) await mint(ledger)
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return (1000 * mints) / (performance.now() - began)
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const wallet = privateKeyToAccount(generatePrivateKey())
const chain = await embeddedChain({ folder, now: () => Date.now(), funded: [wallet.address] })
const contracts = await embeddedContracts({ chain, wallet })
const store = await sqliteStore(join(folder, 'jobs.sqlite'))
const ledger = await viemLedger({ chain, wallet, contracts, store })
await rate(ledger, { mints: together, lanes: inFlight })

const [single, group]: [number[], number[]] = [[], []]
for (let round = 0; round < rounds; round++) {
  single.push(await rate(ledger, { mints: alone, lanes: 1 }))
  group.push(await rate(ledger, { mints: together, lanes: inFlight }))
}
await ledger.close()
await store.close()
await chain.close()
rmSync(folder, { recursive: true })

const ratio = median(group) / median(single)
process.stdout.write(
  [
    `sequential: ${median(single).toFixed(0)} tokens/s`,
    `64 in flight: ${median(group).toFixed(0)} tokens/s`,
    `ratio: ${ratio.toFixed(1)} (median of ${rounds} rounds each, taking turns)`,
    '',
  ].join('\n'),
)
if (ratio < 4) process.exitCode = 1
