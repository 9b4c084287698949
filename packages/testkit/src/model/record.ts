import assert from 'node:assert/strict'
import type { TokenId } from '@heirloom/core'
import type { ServiceHarness } from '../harness.ts'
import { giveSign, type Model, type ModelToken } from './model.ts'
import { drift, partyOf } from './step.ts'

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
