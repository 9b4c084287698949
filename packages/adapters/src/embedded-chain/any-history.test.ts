import fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { EmbeddedChain } from './embedded-chain.ts'
import { history, send } from './test/requests.ts'
import { noon, opened } from './test/test-chain.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { accounts, deploying, keyOf, signed, signedAsBefore, witness } from './test/transactions.ts'

const accepted = ['transfer', 'legacy', 'deploy', 'call', 'revert', 'read'] as const
const refused = ['gap', 'poor', 'garbage'] as const
const kinds = [...accepted, ...refused] as const

type Step = {
  readonly kind: (typeof kinds)[number]
  readonly from: 0 | 1 | 2
  /** Milliseconds since the step before; negative when the clock was set back. */
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
  if (kind === 'legacy') return signedAsBefore(from, nonce)
  if (kind === 'deploy') return signed({ from, nonce, to: undefined, data: deploying(witness) })
  if (kind === 'revert') return signed({ from, nonce, to: undefined, data: revertingCode })
  if (kind === 'call') return signed({ from, nonce, to: witnessAddress, value: 0n, data: '0x' })
  if (kind === 'gap') return signed({ from, nonce: nonce + 1 + (value % 5) })
  if (kind === 'poor') return signed({ from, nonce, value: 10n ** 24n })
  return signed({ from, nonce, to: accounts[value % 3]?.address, value: BigInt(value) })
}

async function take(chain: EmbeddedChain, step: Step): Promise<void> {
  const params = [accounts[step.from]?.address, 'latest']
  if (step.kind === 'read') {
    await chain.request({ method: 'eth_call', params: [{ to: witnessAddress }, 'pending'] })
    return
  }
  const nonce = Number(await chain.request({ method: 'eth_getTransactionCount', params }))
  const sent = send(chain, await rawOf(step, nonce))
  const isRefused = refused.some((kind) => kind === step.kind)
  await (isRefused ? expect(sent).rejects.toHaveProperty('code') : sent)
}

test('any history comes back block by block, and goes on', { timeout: 30_000 }, async () => {
  const key = fc.option(fc.constantFrom(0, 1, 2).map(keyOf), { nil: undefined })
  const chapterOf = fc.record({ key, steps: fc.array(step, { maxLength: 12 }) })
  const stories = fc.array(chapterOf, { minLength: 2, maxLength: 3 })
  const endings = [undefined, keyOf(0)].map((key) => ({ key, steps: [] }))
  const comesBack = fc.asyncProperty(stories, async (chapters) => {
    const folder = temporaryFolder()
    let now = noon
    let before: readonly string[] = []
    for (const { key, steps } of [...chapters, ...endings]) {
      const chain = await opened(folder, () => now, key)
      const resumed = await history(chain)
      if (before.length > 0) expect(resumed).toEqual(before)
      else await send(chain, await signed({ nonce: 0, to: undefined, data: deploying(witness) }))
      for (const taken of steps) {
        now += taken.delay
        await take(chain, taken)
      }
      before = await history(chain)
      await chain.close()
    }
  })
  await fc.assert(comesBack, { seed: 6, numRuns: 25 })
})
