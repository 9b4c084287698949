import assert from 'node:assert/strict'
import {
  type Account,
  type Digest,
  digest,
  type FailureCode,
  type Hash,
  hash,
  type TokenId,
  type Wei,
  wei,
  wholeBps,
} from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import { arbitraryBytes32 } from '../../arbitraries/values.ts'
import type { LedgerHarness, Party } from '../../harness.ts'
import { refuses } from '../refuses.ts'

/** The greatest difference between a chain's time and the harness's clock, in milliseconds. */
export const drift = 10 * 60_000

/** The content hash and the digest of a token. */
export const arbitraryContent: Arbitrary<{
  readonly contentHash: Hash
  readonly digest: Digest
}> = fc.record({
  contentHash: arbitraryBytes32.map(hash),
  digest: arbitraryBytes32.map(digest),
})

/** A price that four funded wallets can pay hundreds of times; odd amounts reveal rounding. */
export const arbitraryCheapPrice: Arbitrary<Wei> = fc
  .bigInt({ min: 1n, max: 10n ** 13n })
  .map((amount) => wei(amount))

/** An index of a party. */
export const arbitraryParty = fc.nat({ max: 3 })

/** Terms that offer nothing. */
export const noTerms = {
  price: wei(0n),
  rentalPricePerDay: wei(0n),
  forkPrice: wei(0n),
  forkRoyaltyBps: 0,
}

/** Returns the four parties, starting with the party at `first`. */
export function partiesFrom(
  { parties }: LedgerHarness,
  first = 0,
): readonly [Party, Party, Party, Party] {
  const [one, two, three, four] = [0, 1, 2, 3].map((index) => parties[(first + index) % 4])
  assert.ok(one && two && three && four, 'a harness has four parties')
  return [one, two, three, four]
}

/** Returns the account of a party. */
export const accountOf = ({ ledger }: Party): Account => ledger.agent

const plainContent = {
  contentHash: hash(`0x${'c0'.repeat(32)}`),
  digest: digest(`0x${'d1'.repeat(32)}`),
}

/** Mints a root token that the party owns. */
export async function mintBy({ ledger }: Party): Promise<TokenId> {
  const root = { ...plainContent, parent: undefined, recipient: ledger.agent }
  return (await ledger.mint(root)).tokenId
}

/** The price of a fork; odd, so that it reveals rounding. */
export const forkPrice = wei(1001n)

/** A token to offer for fork, and its royalty. */
export type Forking = { readonly tokenId: TokenId; readonly forkRoyaltyBps: number }

/** Offers a token for fork with a share, and forks it for another party. */
export async function forkOnce(owner: Party, forker: Party, fork: Forking): Promise<TokenId> {
  await owner.ledger.list({ ...noTerms, ...fork, forkPrice })
  const offer = { tokenId: fork.tokenId, price: forkPrice, maxRoyaltyBps: wholeBps }
  return (await forker.ledger.fork({ ...offer, recipient: accountOf(forker) })).tokenId
}

/** Returns the result of a lookup, and asserts that the token exists. */
export async function requireKnown<T>(found: Promise<T | undefined>): Promise<T> {
  const result = await found
  assert.ok(result !== undefined, 'the ledger has the token')
  return result
}

/** Returns the owner of a token. */
export async function ownerOf({ ledger }: Party, tokenId: TokenId): Promise<Account> {
  return (await requireKnown(ledger.access(tokenId, ledger.agent))).owner
}

/** Returns the balances of all parties. */
export function balancesOf({ parties }: LedgerHarness): Promise<readonly Wei[]> {
  return Promise.all(parties.map((party) => party.balance()))
}

/** Asserts that the balances changed exactly by `changes`. */
export async function assertMoved(
  harness: LedgerHarness,
  before: readonly Wei[],
  changes: ReadonlyMap<Party, bigint>,
): Promise<void> {
  const after = await balancesOf(harness)
  const moved = after.map((balance, index) => balance - (before[index] ?? 0n))
  assert.deepEqual(
    moved,
    harness.parties.map((party) => changes.get(party) ?? 0n),
  )
}

/** Asserts that a write fails with a code and changes neither the token nor any balance. */
export async function refusesWrite(
  harness: LedgerHarness,
  tokenId: TokenId,
  code: FailureCode,
  write: () => Promise<unknown>,
): Promise<void> {
  const before = await stateOf(harness, tokenId)
  await refuses(code, write())
  assert.deepEqual(await stateOf(harness, tokenId), before)
}

async function stateOf(harness: LedgerHarness, tokenId: TokenId): Promise<unknown> {
  const [{ ledger }] = partiesFrom(harness)
  const read = async ({ ledger: { agent } }: Party) => {
    const access = await ledger.access(tokenId, agent)
    return [access?.owner, access?.expiresAt]
  }
  const accesses = await Promise.all(harness.parties.map(read))
  return { accesses, listing: await ledger.listing(tokenId), balances: await balancesOf(harness) }
}
