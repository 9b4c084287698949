import fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import type { EmbeddedChain } from './embedded-chain.ts'
import { history, send } from './test/requests.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { noon, openTestChain } from './test/test-chain.ts'
import {
  accounts,
  creationCode,
  keyOf,
  signLegacyTransaction,
  signTransaction,
  witness,
} from './test/transactions.ts'

const acceptedKinds = ['transfer', 'legacy', 'deploy', 'call', 'revert', 'read'] as const
const refusedKinds = ['gap', 'poor', 'garbage'] as const
const kinds = [...acceptedKinds, ...refusedKinds] as const

type Step = {
  readonly kind: (typeof kinds)[number]
  readonly from: 0 | 1 | 2
  /** Milliseconds since the previous step; negative when the clock was set back. */
  readonly delay: number
  readonly value: number
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  from: fc.constantFrom(0, 1, 2),
  delay: fc.oneof(fc.constant(0), fc.integer({ min: -5_000, max: 5_000 }), fc.nat(1e10)),
  value: fc.nat(1e9),
})

const revertingCode = '0x5f5ffd'
const witnessAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

function rawOf({ kind, from, value }: Step, nonce: number): Promise<Hex> | Hex {
  if (kind === 'garbage') return `0x02${value.toString(16).padStart(8, '0')}`
  if (kind === 'legacy') return signLegacyTransaction(from, nonce)
  if (kind === 'deploy')
    return signTransaction({ from, nonce, to: undefined, data: creationCode(witness) })
  if (kind === 'revert') return signTransaction({ from, nonce, to: undefined, data: revertingCode })
  if (kind === 'call')
    return signTransaction({ from, nonce, to: witnessAddress, value: 0n, data: '0x' })
  if (kind === 'gap') return signTransaction({ from, nonce: nonce + 1 + (value % 5) })
  if (kind === 'poor') return signTransaction({ from, nonce, value: 10n ** 24n })
  return signTransaction({ from, nonce, to: accounts[value % 3]?.address, value: BigInt(value) })
}

async function perform(chain: EmbeddedChain, step: Step): Promise<void> {
  const params = [accounts[step.from]?.address, 'latest']
  if (step.kind === 'read') {
    await chain.request({ method: 'eth_call', params: [{ to: witnessAddress }, 'pending'] })
    return
  }
  const nonce = Number(await chain.request({ method: 'eth_getTransactionCount', params }))
  const sent = send(chain, await rawOf(step, nonce))
  const isRefused = refusedKinds.some((kind) => kind === step.kind)
  await (isRefused ? expect(sent).rejects.toHaveProperty('code') : sent)
}

test('any history is replayed block by block, and can be continued', async () => {
  const key = fc.option(fc.constantFrom(0, 1, 2).map(keyOf), { nil: undefined })
  const chapter = fc.record({ key, steps: fc.array(step, { maxLength: 12 }) })
  const chapters = fc.array(chapter, { minLength: 2, maxLength: 3 })
  const replaysAtTheEnd = [undefined, keyOf(0)].map((key) => ({ key, steps: [] }))
  const replays = fc.asyncProperty(chapters, async (chapters) => {
    const folder = temporaryFolder()
    let now = noon
    let before: readonly string[] = []
    for (const { key, steps } of [...chapters, ...replaysAtTheEnd]) {
      const chain = await openTestChain(folder, () => now, key)
      const resumed = await history(chain)
      if (before.length > 0) expect(resumed).toEqual(before)
      else
        await send(
          chain,
          await signTransaction({ nonce: 0, to: undefined, data: creationCode(witness) }),
        )
      for (const step of steps) {
        now += step.delay
        await perform(chain, step)
      }
      before = await history(chain)
      await chain.close()
    }
  })
  await fc.assert(replays, { seed: 6, numRuns: times(7, 25) })
})
