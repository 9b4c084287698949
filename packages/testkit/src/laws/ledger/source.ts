import assert from 'node:assert/strict'
import { type Access, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerWorld, Party } from '../../harness.ts'
import type { Law } from '../law.ts'
import {
  accountOf,
  arbitraryContent,
  arbitraryParty,
  castOf,
  known,
  noTerms,
  ownerOf,
} from './fixture.ts'

/** A token, and the source that it must name. */
type Sourced = { readonly tokenId: TokenId; readonly source: Access['source'] }

const forkPrice = wei(3n)

/** Half of what is made has the newest token as its parent, so that chains grow. */
const arbitraryStep = fc.record({
  kind: fc.constantFrom('mint', 'gift', 'child', 'batch', 'fork', 'fork', 'fork'),
  who: arbitraryParty,
  of: fc.oneof(fc.constant(0), fc.nat()),
  content: arbitraryContent,
})
type Step = typeof arbitraryStep extends fc.Arbitrary<infer T> ? T : never

/** What every ledger keeps of where the content of a token comes from. */
export const sourceLaws: readonly Law<LedgerWorld>[] = [
  {
    name: 'names the source of a token through licensed forks',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(fc.array(arbitraryStep, { maxLength: 9 }), async (steps) => {
          const tokens: Sourced[] = []
          for (const step of steps) tokens.push(...(await take(world, step, tokens)))
          const [reader] = castOf(world)
          for (const { tokenId, source } of tokens) {
            const access = await known(reader.ledger.access(tokenId, accountOf(reader)))
            assert.deepEqual(access.source, source)
          }
        }),
      ),
  },
]

/** Does a step, and returns what it made. */
async function take(
  world: LedgerWorld,
  step: Step,
  tokens: readonly Sourced[],
): Promise<readonly Sourced[]> {
  const [maker, other] = castOf(world, step.who)
  const parent = tokens[tokens.length - 1 - (step.of % Math.max(tokens.length, 1))]
  if (step.kind === 'fork' && parent) return [await fork(world, maker, parent)]
  const token = {
    ...step.content,
    parent: step.kind === 'child' ? parent?.tokenId : undefined,
    recipient: accountOf(step.kind === 'gift' ? other : maker),
  }
  const count = step.kind === 'batch' ? 3 : 1
  // Those that are asked for at once may share a transaction.
  const minted = await Promise.all(Array.from({ length: count }, () => maker.ledger.mint(token)))
  return minted.map(({ tokenId }) => ({
    tokenId,
    source: { tokenId, creator: accountOf(maker) },
  }))
}

async function fork(world: LedgerWorld, forker: Party, parent: Sourced): Promise<Sourced> {
  const { tokenId, source } = parent
  const holder = await ownerOf(forker, tokenId)
  const owner = world.parties.find((party) => accountOf(party) === holder)
  assert.ok(owner, 'a party owns the token')
  await owner.ledger.list({ ...noTerms, tokenId, forkPrice })
  const offer = { tokenId, price: forkPrice, maxRoyaltyBps: 0, recipient: accountOf(forker) }
  return { tokenId: (await forker.ledger.fork(offer)).tokenId, source }
}
