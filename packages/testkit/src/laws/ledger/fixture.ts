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
import { arbitraryBytes32 } from '../../arbitraries/bytes.ts'
import type { LedgerWorld, Party } from '../../harness.ts'
import { refuses } from '../refuses.ts'

/** How far a chain's time may be from the world's clock, in milliseconds. */
export const drift = 10 * 60_000

/** What a token proves. */
export const arbitraryContent: Arbitrary<{
  readonly contentHash: Hash
  readonly digest: Digest
}> = fc.record({
  contentHash: arbitraryBytes32.map(hash),
  digest: arbitraryBytes32.map(digest),
})

/** A price that four funded wallets can pay hundreds of times; odd amounts show rounding. */
export const arbitraryCheapPrice: Arbitrary<Wei> = fc
  .bigInt({ min: 1n, max: 10n ** 13n })
  .map((amount) => wei(amount))

/** The index of a party. */
export const arbitraryParty = fc.nat({ max: 3 })

/** Terms that offer nothing. */
export const noTerms = {
  price: wei(0n),
  rentalPricePerDay: wei(0n),
  forkPrice: wei(0n),
  forkRoyaltyBps: 0,
}

/** Returns the four parties, beginning with the one at `first`. */
export function castOf({ parties }: LedgerWorld, first = 0): readonly [Party, Party, Party, Party] {
  const [one, two, three, four] = [0, 1, 2, 3].map((index) => parties[(first + index) % 4])
  assert.ok(one && two && three && four, 'a world has four parties')
  return [one, two, three, four]
}

/** Returns the account a party signs and pays with. */
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

/** The price of a fork that is forked once; odd, so that it shows rounding. */
export const forkPrice = wei(1001n)

/** A fork that an owner is about to offer. */
export type Forking = { readonly tokenId: TokenId; readonly forkRoyaltyBps: number }

/** Offers a token for fork with a share, and forks it for another party. */
export async function forkOnce(owner: Party, forker: Party, fork: Forking): Promise<TokenId> {
  await owner.ledger.list({ ...noTerms, ...fork, forkPrice })
  const offer = { tokenId: fork.tokenId, price: forkPrice, maxRoyaltyBps: wholeBps }
  return (await forker.ledger.fork({ ...offer, recipient: accountOf(forker) })).tokenId
}

/** Returns what a ledger answers of a token that must exist. */
export async function known<T>(found: Promise<T | undefined>): Promise<T> {
  const answer = await found
  assert.ok(answer !== undefined, 'the ledger knows the token')
  return answer
}

/** Returns the owner of a token. */
export async function ownerOf({ ledger }: Party, tokenId: TokenId): Promise<Account> {
  return (await known(ledger.access(tokenId, ledger.agent))).owner
}

/** Returns what every party holds. */
export function balancesOf({ parties }: LedgerWorld): Promise<readonly Wei[]> {
  return Promise.all(parties.map((party) => party.balance()))
}

/** Asserts that money moved exactly as told: by party, what came in less what went out. */
export async function assertMoved(
  world: LedgerWorld,
  before: readonly Wei[],
  changes: ReadonlyMap<Party, bigint>,
): Promise<void> {
  const after = await balancesOf(world)
  const moved = after.map((balance, index) => balance - (before[index] ?? 0n))
  assert.deepEqual(
    moved,
    world.parties.map((party) => changes.get(party) ?? 0n),
  )
}

/** Asserts that a write fails with a code and changes nothing of a token, nor any balance. */
export async function refusesWrite(
  world: LedgerWorld,
  tokenId: TokenId,
  code: FailureCode,
  write: () => Promise<unknown>,
): Promise<void> {
  const before = await stateOf(world, tokenId)
  await refuses(code, write())
  assert.deepEqual(await stateOf(world, tokenId), before)
}

async function stateOf(world: LedgerWorld, tokenId: TokenId): Promise<unknown> {
  const [{ ledger }] = castOf(world)
  const read = async ({ ledger: { agent } }: Party) => {
    const access = await ledger.access(tokenId, agent)
    return [access?.owner, access?.expiresAt]
  }
  const accesses = await Promise.all(world.parties.map(read))
  return { accesses, listing: await ledger.listing(tokenId), balances: await balancesOf(world) }
}
