import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { World } from '../../world.ts'
import {
  idOf,
  isShort,
  type Model,
  type ModelToken,
  type Pick,
  settle,
  tokenOf,
  type Who,
} from '../model.ts'
import {
  arbitraryLimit,
  arbitraryPick,
  arbitraryRecipient,
  arbitraryWho,
  type Limit,
  limitInput,
} from '../picks.ts'
import { record } from '../record.ts'
import { agree, firstOf, heirOf, type Recipient, recipientInput, serviceOf, step } from '../step.ts'

type Input = {
  readonly who: Who
  readonly pick: Pick
  readonly recipient: Recipient
  readonly limit: Limit
}

/** Forks a token, perhaps one's own, perhaps for another. */
export const forkCommand = fc
  .record({
    who: arbitraryWho,
    pick: arbitraryPick,
    recipient: arbitraryRecipient,
    limit: arbitraryLimit,
  })
  .map((input) =>
    step(`fork ${JSON.stringify(input)}`, (model, world) => play(model, world, input)),
  )

async function play(model: Model, world: World, { who, pick, recipient, limit }: Input) {
  const tokenId = idOf(model, pick, ({ terms }) => (terms?.forkPrice ?? 0n) > 0n)
  const parent = tokenOf(model, tokenId)
  const price = parent?.terms?.forkPrice ?? 0n
  const predicted = firstOf(
    [parent === undefined, 'token/not-found'],
    [price === 0n, 'listing/not-for-fork'],
    [limit === 'less', 'listing/over-max-price'],
    [isShort(model, who, price), 'wallet/short'],
    [recipient === 'nobody', 'recipient/invalid'],
  )
  const input = { tokenId, ...recipientInput(world, recipient), ...limitInput(limit, price) }
  const minted = await agree(model, 'fork', predicted, serviceOf(world, who).fork(input))
  if (!minted || !parent) return parent
  settle(model, who, parent, price)
  const { document, sealedFor } = parent
  const origin = { creator: who, owner: heirOf(recipient, who), document, sealedFor }
  return recordFork(model, world, minted, parent, origin)
}

async function recordFork(
  model: Model,
  world: World,
  minted: { readonly tokenId: ModelToken['id'] },
  parent: ModelToken,
  origin: globalThis.Pick<ModelToken, 'creator' | 'owner' | 'document' | 'sealedFor'>,
): Promise<ModelToken> {
  const royaltyBps = parent.terms?.forkRoyaltyBps ?? 0
  const child = await record(model, world, minted.tokenId, {
    ...origin,
    parent: parent.id,
    royaltyBps,
  })
  assert.equal(child.record.contentHash, parent.record.contentHash)
  assert.equal(child.record.digest, parent.record.digest)
  return child
}
