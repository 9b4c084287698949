import assert from 'node:assert/strict'
import type { TokenId } from '@heirloom/core'
import type { BundleText } from '../arbitraries/json.ts'
import type { ServiceHarness } from '../harness.ts'
import { giveSign, type Model, type ModelToken, type Who } from './model.ts'
import { drift, partyOf, type Recipient, receiverOf } from './step.ts'

/** The answer to a write that minted, and what was minted for whom. */
type MintedMemory = {
  readonly minted: Awaited<ReturnType<ServiceHarness['services'][number]['snapshot']>>
  readonly who: Who
  readonly parent: TokenId | undefined
  readonly bundle: BundleText
  readonly recipient: Recipient
}

/** Adds a memory that a party minted to the model, and asserts what the answer says of it. */
export async function recordMinted(
  model: Model,
  harness: ServiceHarness,
  { minted, who, parent, bundle: { document }, recipient }: MintedMemory,
): Promise<ModelToken> {
  assert.ok(Math.abs(minted.timestamp - harness.now()) <= drift)
  const origin = { creator: who, sealedFor: who, parent, claims: [], depth: 0, document }
  const owned = { ...origin, owner: receiverOf(recipient, who) }
  const token = await record(model, harness, minted.tokenId, owned)
  assert.equal(token.record.contentHash, minted.contentHash)
  return token
}

/** Adds a new token to the model and asserts that the chain records its origin. */
export async function record(
  model: Model,
  harness: ServiceHarness,
  id: TokenId,
  origin: Pick<
    ModelToken,
    'creator' | 'parent' | 'claims' | 'depth' | 'document' | 'sealedFor' | 'owner'
  >,
): Promise<ModelToken> {
  assert.equal(id, BigInt(model.tokens.length + 1), 'tokens are numbered consecutively')
  // Anybody may pay for a fork, so only a mint of one's own is a sign of life.
  if (origin.depth === 0 && origin.creator === origin.owner) {
    giveSign(model, origin.owner, harness.now())
  }
  const found = await partyOf(harness, 0).ledger.provenance(id)
  assert.ok(found)
  assert.equal(found.creator, partyOf(harness, origin.creator).ledger.agent)
  assert.equal(found.parent, origin.parent)
  assert.ok(Math.abs(found.mintedAt - harness.now()) <= drift)
  const token = {
    ...origin,
    id,
    record: found,
    formerOwners: new Set<never>(),
    rentals: new Map<never, never>(),
    terms: undefined,
  }
  model.tokens.push(token)
  return token
}
