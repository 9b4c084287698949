import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type download, type FailureCode, isFailure, nobody, storageUri, wei } from '@heirloom/core'
import type { Party, World } from '../harness.ts'
import {
  canBeForked,
  claimsOfFork,
  type Model,
  type ModelToken,
  refusalOf,
  totalOf,
  type Who,
} from './model.ts'
import { proofOf } from './proof.ts'

/** Asserts that every party holds what the model says, and all together what they always held. */
export async function assertWealth(model: Model, { parties }: World): Promise<void> {
  const held = await Promise.all(parties.map((party) => party.balance()))
  assert.deepEqual(held, model.balances, 'everyone holds what the model says')
  const wealth = held.reduce((sum: bigint, balance) => sum + balance, 0n)
  assert.equal(wealth, model.wealth, 'no money comes or goes')
}

/** Asserts all that the model knows of a token. */
export async function assertToken(model: Model, world: World, token: ModelToken): Promise<void> {
  const [service] = world.services
  assert.ok(service)
  const { storageUri: uri, ...record } = await service.provenance({ tokenId: token.id })
  assert.deepEqual(record, token.record, 'what is recorded never changes')
  assert.equal(uri, storageUri(token.record.digest))
  assert.deepEqual(await service.listing({ tokenId: token.id }), listingOf(world, token))
  for (const [index, party] of world.parties.entries()) {
    await assertRight(model, world, token, party, index as Who)
  }
  model.tally('token: agrees')
}

/** Returns the listing that the model expects. */
export function listingOf({ parties }: World, token: ModelToken): unknown {
  const { id, owner, terms, claims } = token
  const zero = wei(0n)
  const nothing = { price: zero, rentalPricePerDay: zero, forkPrice: zero, forkRoyaltyBps: 0 }
  const seller = terms === undefined ? nobody : parties[owner]?.ledger.agent
  const totalRoyaltyBps = totalOf(claimsOfFork(token))
  const effectiveRoyaltyBps = totalRoyaltyBps - totalOf(claims)
  const owed = { effectiveRoyaltyBps, totalRoyaltyBps, canBeForked: canBeForked(token) }
  return { tokenId: id, seller, ...(terms ?? nothing), ...owed }
}

/** Asserts that a download is the document, and that its hash is the one on the chain. */
export function assertDocument(token: ModelToken, opened: download.Output): void {
  assert.equal(Buffer.from(opened.document).toString(), token.document)
  const salt = Buffer.from(opened.salt.slice(2), 'hex')
  const sum = createHash('sha256').update(salt).update(opened.document).digest('hex')
  assert.equal(`0x${sum}`, token.record.contentHash)
  assert.equal(opened.contentHash, token.record.contentHash)
}

async function assertRight(
  model: Model,
  world: World,
  token: ModelToken,
  party: Party,
  who: Who,
): Promise<void> {
  const access = await party.ledger.access(token.id, party.ledger.agent)
  assert.equal(access?.owner, world.parties[token.owner]?.ledger.agent, 'one owner')
  assert.equal(access?.expiresAt, token.rentals.get(who))
  const proof = await proofOf(world, party, token.id)
  const expected = refusalOf(model, token, who, world.now())
  const opened = await world.services[who]
    ?.download({ tokenId: token.id, proof })
    .catch((error: unknown) => assertRefused(error, expected))
  assert.equal(opened === undefined, expected !== undefined, 'only who may, can')
  if (opened !== undefined) assertDocument(token, opened)
}

function assertRefused(error: unknown, expected: FailureCode | undefined): undefined {
  if (!isFailure(error)) throw error
  assert.equal(error.code, expected, 'a refusal has its reason')
}
