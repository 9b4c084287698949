import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type download, type FailureCode, isFailure, nobody, storageUri, wei } from '@heirloom/core'
import type { Party, ServiceHarness } from '../harness.ts'
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

/** Asserts that the balances agree with the model, and that their sum never changes. */
export async function assertWealth(model: Model, { parties }: ServiceHarness): Promise<void> {
  const held = await Promise.all(parties.map((party) => party.balance()))
  assert.deepEqual(held, model.balances, 'the balances agree with the model')
  const wealth = held.reduce((sum: bigint, balance) => sum + balance, 0n)
  assert.equal(wealth, model.wealth, 'the total balance never changes')
  const dollars = await Promise.all(parties.map((party) => party.dollars()))
  assert.deepEqual(dollars, model.dollars, 'the dollars agree with the model')
}

/** Asserts that a token agrees with the model. */
export async function assertToken(
  model: Model,
  harness: ServiceHarness,
  token: ModelToken,
): Promise<void> {
  const [service] = harness.services
  assert.ok(service)
  const { storageUri: uri, ...record } = await service.provenance({ tokenId: token.id })
  assert.deepEqual(record, token.record, 'the record of a token never changes')
  assert.equal(uri, storageUri(token.record.digest))
  assert.deepEqual(await service.listing({ tokenId: token.id }), listingOf(harness, token))
  for (const [index, party] of harness.parties.entries()) {
    await assertRight(model, harness, token, party, index as Who)
  }
  model.tally('token: agrees')
}

/** Returns the listing that the model expects. */
export function listingOf({ parties, dollar }: ServiceHarness, token: ModelToken): unknown {
  const { id, owner, terms, claims } = token
  const inDollars = terms?.dollars && { dollars: { asset: dollar, ...terms.dollars } }
  const zero = wei(0n)
  const nothing = { price: zero, rentalPricePerDay: zero, forkPrice: zero, forkRoyaltyBps: 0 }
  const seller = terms === undefined ? nobody : parties[owner]?.ledger.agent
  const totalRoyaltyBps = totalOf(claimsOfFork(token))
  const effectiveRoyaltyBps = totalRoyaltyBps - totalOf(claims)
  const owed = { effectiveRoyaltyBps, totalRoyaltyBps, canBeForked: canBeForked(token) }
  return { tokenId: id, seller, ...(terms ?? nothing), ...inDollars, ...owed }
}

/** Asserts that a download is the document, and that its hash is the content hash on the chain. */
export function assertDocument(token: ModelToken, opened: download.Output): void {
  assert.equal(Buffer.from(opened.document).toString(), token.document)
  const salt = Buffer.from(opened.salt.slice(2), 'hex')
  const sum = createHash('sha256').update(salt).update(opened.document).digest('hex')
  assert.equal(`0x${sum}`, token.record.contentHash)
  assert.equal(opened.contentHash, token.record.contentHash)
}

async function assertRight(
  model: Model,
  harness: ServiceHarness,
  token: ModelToken,
  party: Party,
  who: Who,
): Promise<void> {
  const access = await party.ledger.access(token.id, party.ledger.agent)
  assert.equal(access?.owner, harness.parties[token.owner]?.ledger.agent, 'one owner')
  assert.equal(access?.expiresAt, token.rentals.get(who))
  const proof = await proofOf(harness, party, token.id)
  const expected = refusalOf(model, token, who, harness.now())
  const opened = await harness.services[who]
    ?.download({ tokenId: token.id, proof })
    .catch((error: unknown) => assertRefused(error, expected))
  assert.equal(opened === undefined, expected !== undefined, 'only accounts with a right can open')
  if (opened !== undefined) assertDocument(token, opened)
}

function assertRefused(error: unknown, expected: FailureCode | undefined): undefined {
  if (!isFailure(error)) throw error
  assert.equal(error.code, expected, 'a refusal has the expected code')
}
