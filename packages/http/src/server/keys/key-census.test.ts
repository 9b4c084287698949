import { randomBytes } from 'node:crypto'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import type { MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import { account, Failure, tokenId } from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findMissingKeys, keyCensus } from './key-census.ts'

const own = account(`0x${'1'.repeat(40)}`)
const other = account(`0x${'2'.repeat(40)}`)

const tokens = fc.array(
  fc.record({
    creator: fc.constantFrom(own, other),
    state: fc.constantFrom('damaged', 'missing', 'missing', 'missing'),
    // The payer of a licensed fork chooses its creator.
    isFork: fc.boolean(),
  }),
  { maxLength: 6 },
)

/** Returns the tokens as minted, with their states instead of digests. */
async function* minted(states: readonly State[]) {
  for (const [at, { state, ...token }] of states.entries())
    yield { tokenId: tokenId(BigInt(at + 1)), ...token, digest: state } as unknown as MintedToken
}

type State = { readonly creator: string; readonly state: string; readonly isFork: boolean }

const head = async (state: string): Promise<Uint8Array> => {
  const code = state === 'missing' ? 'blob/not-found' : 'blob/corrupt'
  throw new Failure(code, { digest: state as never })
}

test('where losses count only all at once, one own memory at its place makes them none', async () => {
  await fc.assert(
    fc.asyncProperty(tokens, async (states) => {
      const common = { minted: () => minted(states), head, creators: [own] }
      const ofOwn = states.filter(({ creator, isFork }) => creator === own && !isFork)
      const missing = ofOwn.filter(({ state }) => state === 'missing').length
      const each = keyCensus(common)
      const onlyAll = keyCensus({ ...common, losses: 'only-all' })
      await Promise.all([each.catchUp(), onlyAll.catchUp()])
      expect([each.notHere(), each.damaged()]).toEqual([missing, ofOwn.length - missing])
      const isElsewhere = missing === ofOwn.length
      expect([onlyAll.notHere(), onlyAll.damaged()]).toEqual([isElsewhere ? missing : 0, 0])
    }),
  )
})

test('a key is missing when a bundle of this installation has it, and not when one of a stranger has', async () => {
  const cipher = naclCipher({ keys: sealingKeyRing([randomBytes(32)]), documentLimit: 1000 })
  const context = { registry: { chainId: 1, address: own }, creator: other }
  const document = Buffer.from('{"data":{},"metadata":{"category":"any"}}')
  const { sealed } = await cipher.seal(document, context, { blobs: memoryBlobStore() })
  const states = [{ creator: other, state: 'here', isFork: false }]
  const missingWith = async (isOurs?: () => Promise<boolean>) => {
    const parts = { minted: () => minted(states), head: async () => sealed }
    const census = keyCensus({ ...parts, ...(isOurs && { isOurs }) })
    await census.catchUp()
    return findMissingKeys(census, []).memories
  }
  expect(await missingWith()).toBe(1)
  expect(await missingWith(async () => true)).toBe(1)
  expect(await missingWith(async () => false)).toBe(0)
})
