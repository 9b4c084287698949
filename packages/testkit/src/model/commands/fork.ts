import assert from 'node:assert/strict'
import type { TokenId } from '@heirloom/core'
import type { ServiceHarness } from '../../harness.ts'
import {
  canBeForked,
  claimsOfFork,
  idOf,
  isShort,
  type Model,
  type ModelToken,
  offerOf,
  settle,
  tokenOf,
  totalOf,
} from '../model.ts'
import {
  arbitraryLimit,
  arbitraryPick,
  arbitraryRecipient,
  arbitraryWho,
  limitInput,
  royaltyInput,
} from '../picks.ts'
import { record } from '../record.ts'
import {
  agree,
  command,
  type Drawn,
  firstOf,
  receiverOf,
  recipientInput,
  serviceOf,
} from '../step.ts'

const parts = {
  who: arbitraryWho,
  pick: arbitraryPick,
  recipient: arbitraryRecipient,
  limit: arbitraryLimit,
  royalty: arbitraryLimit,
}

type Fork = Omit<Drawn<typeof parts>, 'pick'> & { readonly tokenId: TokenId }

/** Forks any token for any recipient. */
export const forkCommand = command('fork', parts, (model, harness, { pick, ...input }) => {
  const tokenId = idOf(model, pick, ({ terms }) => (terms?.forkPrice ?? 0n) > 0n)
  return runFork(model, harness, { ...input, tokenId })
})

/**
 * Forks a token in the model and the harness; returns the child, or the parent when the fork fails.
 */
export async function runFork(model: Model, harness: ServiceHarness, input: Fork) {
  const { who, tokenId, recipient, limit, royalty } = input
  const parent = tokenOf(model, tokenId)
  const { amount: price, isInDollars } = offerOf(parent, 'forkPrice')
  const total = parent ? totalOf(claimsOfFork(parent)) : 0
  const predicted = firstOf(
    [parent === undefined, 'token/not-found'],
    [price === 0n, 'listing/not-for-fork'],
    [isInDollars, 'listing/currency-changed'],
    [limit === 'less', 'listing/over-max-price'],
    [isShort(model, who, price), 'wallet/short'],
    [royalty === 'less' && total > 0, 'listing/royalty-changed'],
    [recipient === 'nobody', 'recipient/invalid'],
    [parent !== undefined && !canBeForked(parent), 'lineage/too-deep'],
  )
  const limits = { ...limitInput(limit, price), ...royaltyInput(royalty, total) }
  const call = { tokenId, ...recipientInput(harness, recipient), ...limits }
  const minted = await agree(model, 'fork', predicted, serviceOf(harness, who).fork(call))
  if (!minted || !parent) return parent
  settle(model, who, parent, price)
  const { document, sealedFor } = parent
  const origin = { creator: who, owner: receiverOf(recipient, who), document, sealedFor }
  return recordFork(model, harness, minted, parent, origin)
}

/** Records the fork of a token in the model, and asserts that the chain has it. */
export async function recordFork(
  model: Model,
  harness: ServiceHarness,
  minted: { readonly tokenId: ModelToken['id'] },
  parent: ModelToken,
  origin: globalThis.Pick<ModelToken, 'creator' | 'owner' | 'document' | 'sealedFor'>,
): Promise<ModelToken> {
  const child = await record(model, harness, minted.tokenId, {
    ...origin,
    parent: parent.id,
    claims: claimsOfFork(parent),
    depth: parent.depth + 1,
  })
  assert.equal(child.record.contentHash, parent.record.contentHash)
  assert.equal(child.record.digest, parent.record.digest)
  return child
}
