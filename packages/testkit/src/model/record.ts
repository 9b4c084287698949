import assert from 'node:assert/strict'
import type { TokenId } from '@heirloom/core'
import type { World } from '../harness.ts'
import type { Model, ModelToken } from './model.ts'
import { drift, partyOf } from './step.ts'

/** Adds a new token to the model and asserts that the chain records its origin. */
export async function record(
  model: Model,
  world: World,
  id: TokenId,
  origin: Pick<
    ModelToken,
    'creator' | 'parent' | 'claims' | 'depth' | 'document' | 'sealedFor' | 'owner'
  >,
): Promise<ModelToken> {
  assert.equal(id, BigInt(model.tokens.length + 1), 'tokens are numbered one after another')
  const found = await partyOf(world, 0).ledger.provenance(id)
  assert.ok(found)
  assert.equal(found.creator, partyOf(world, origin.creator).ledger.agent)
  assert.equal(found.parent, origin.parent)
  assert.ok(Math.abs(found.mintedAt - world.now()) <= drift)
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
