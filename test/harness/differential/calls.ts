import assert from 'node:assert/strict'
import {
  type Account,
  type Hex,
  type Instant,
  isActive,
  type Listing,
  nobody,
  sameAccount,
  type TokenId,
  tokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import type { LedgerHarness, Party } from '@heirloom/testkit'
import type { Actor, Move, Offer, Pick, Recipient } from './moves.ts'

/** What a command gave back. */
export type Gain = {
  readonly txHash?: Hex
  readonly tokenId?: TokenId
  readonly expiresAt?: Instant
}

/** A command whose token, payer and price are settled, so that it is the same in every world. */
export type Call = {
  /** What it counts as. */
  readonly title: string
  readonly who: number
  readonly value: Wei
  readonly run: (world: LedgerHarness) => Promise<Gain>
}

/** Where a story stands: what to look at to give its next command a meaning. */
export type Scene = { readonly world: LedgerHarness; readonly minted: number }

/** Returns all wallets of a world; the last is the pauper. */
export function walletsOf({ parties, pauper }: LedgerHarness): readonly Party[] {
  return [...parties, pauper]
}

const nothing = wei(0n)
const fortune = wei(10n ** 25n)

/** Settles what a command means in the state that it meets. */
export async function settled(scene: Scene, move: Move): Promise<Call> {
  if (move.verb === 'wait') return waiting(move.milliseconds)
  if (move.verb === 'mint') return minting(scene, move)
  if (move.verb === 'list' || move.verb === 'transfer') return owning(scene, move)
  return paying(scene, move)
}

function waiting(milliseconds: number): Call {
  const run = async (world: LedgerHarness) => {
    await world.wait(milliseconds)
    return {}
  }
  return { title: 'wait', who: 0, value: nothing, run }
}

async function minting(scene: Scene, move: Move & { verb: 'mint' }): Promise<Call> {
  const { contentHash, digest, to } = move
  // Every other mint shows a card. It takes no choice of its own, which would change every story.
  const card = BigInt(digest) % 2n === 0n ? digest : undefined
  const parent = move.parent === undefined ? undefined : await idOf(scene, move.parent, anyToken)
  const who = await indexOf(scene, move.who, undefined)
  const run = async (world: LedgerHarness) => {
    const recipient = accountOf(world, who, to)
    return ledgerOf(world, who).mint({ contentHash, digest, card, parent, recipient })
  }
  return { title: 'mint', who, value: nothing, run }
}

async function owning(scene: Scene, move: Move & { verb: 'list' | 'transfer' }): Promise<Call> {
  const id = await idOf(scene, move.token, anyToken)
  const who = await indexOf(scene, move.who, id)
  if (move.verb === 'list') {
    const run = (world: LedgerHarness) => ledgerOf(world, who).list({ tokenId: id, ...move.terms })
    return { title: 'list', who, value: nothing, run }
  }
  const run = async (world: LedgerHarness) => {
    await walletOf(world, who).transfer(id, accountOf(world, who, move.to))
    return {}
  }
  const self = sameAccount(accountOf(scene.world, who, move.to), agentOf(scene.world, who))
  return { title: self ? 'transfer to itself' : 'transfer', who, value: nothing, run }
}

type Payment = Move & { readonly verb: 'buy' | 'rent' | 'fork' | 'payRoyalty' }

async function paying(scene: Scene, move: Payment): Promise<Call> {
  const id = await idOf(scene, move.token, (listing) => isOffered(listing, move.verb))
  const who = await indexOf(scene, move.who, id)
  const listing = await ledgerOf(scene.world, who).listing(id)
  if (move.verb === 'payRoyalty') {
    const { amount } = move
    const run = (world: LedgerHarness) => ledgerOf(world, who).payRoyalty({ tokenId: id, amount })
    return { title: move.verb, who, value: amount, run }
  }
  const guests = await guestsOf(scene, id)
  const to = move.to === 'guest' ? (guests[0] ?? 'payer') : move.to
  const renews = guests.some((guest) => isOne(scene, accountOf(scene.world, who, to), guest))
  const price = offered(asked(listing, move), move.offer)
  const run = (world: LedgerHarness): Promise<Gain> => {
    const ledger = ledgerOf(world, who)
    const sale = { tokenId: id, price, recipient: accountOf(world, who, to) }
    if (move.verb === 'buy') return ledger.buy(sale)
    if (move.verb === 'rent') return ledger.rent({ ...sale, days: move.days })
    return ledger.fork({ ...sale, maxRoyaltyBps: accepted(listing, move.tolerance) })
  }
  return { title: move.verb === 'rent' && renews ? 'renew' : move.verb, who, value: price, run }
}

const isOne = ({ world }: Scene, one: Account, guest: Settled) =>
  sameAccount(one, accountOf(world, 0, guest))

/** Returns the wallets whose rental of a token runs. */
async function guestsOf({ world }: Scene, id: TokenId): Promise<readonly Settled[]> {
  const guests = [0, 1, 2, 3, 'pauper'] as const
  const read = (guest: Settled) => ledgerOf(world, 0).access(id, accountOf(world, 0, guest))
  const rights = await Promise.all(guests.map(read))
  return guests.filter((_, index) => isActive(rights[index]?.expiresAt, world.now()))
}

function asked(listing: Listing | undefined, move: Payment): bigint {
  if (listing === undefined) return 0n
  if (move.verb === 'buy') return listing.price
  if (move.verb === 'rent') return listing.rentalPricePerDay * BigInt(Math.trunc(move.days))
  return listing.forkPrice
}

function offered(price: bigint, offer: Offer): Wei {
  const offers = { exact: price, under: price - 1n, over: price + 1n, nothing, fortune }
  return wei(offers[offer] < 0n ? 0n : offers[offer])
}

function accepted(listing: Listing | undefined, tolerance: number): number {
  return Math.max(0, (listing?.totalRoyaltyBps ?? 0) + tolerance)
}

const anyToken = () => true

function isOffered(listing: Listing, verb: Payment['verb']): boolean {
  if (verb === 'buy') return listing.price > 0n
  if (verb === 'rent') return listing.rentalPricePerDay > 0n
  return verb === 'payRoyalty' || listing.forkPrice > 0n
}

/** Returns the token that a pick names: mostly one that is wanted, when there is one. */
async function idOf(
  { world, minted }: Scene,
  pick: Pick,
  isWanted: (listing: Listing) => boolean,
): Promise<TokenId> {
  if (pick === 'zero') return tokenId(0n)
  if (pick === 'newest') return tokenId(BigInt(minted))
  if (pick === 'huge') return tokenId(2n ** 256n - 1n)
  const ids = Array.from({ length: minted }, (_, index) => tokenId(BigInt(index + 1)))
  if (pick === 'unminted' || ids.length === 0) return tokenId(BigInt(minted + 1))
  const listings = await Promise.all(ids.map((id) => ledgerOf(world, 0).listing(id)))
  const wanted = ids.filter((_, index) => {
    const listing = listings[index]
    return listing !== undefined && isWanted(listing)
  })
  const candidates = wanted.length === 0 || pick % 8 === 0 ? ids : wanted
  return candidates[pick % candidates.length] ?? tokenId(1n)
}

/** Returns the place of who acts; the owner of a token that nobody owns is the first party. */
async function indexOf({ world }: Scene, who: Actor, id: TokenId | undefined): Promise<number> {
  const all = walletsOf(world)
  if (typeof who === 'number') return who
  if (who === 'pauper') return all.length - 1
  const access = await ledgerOf(world, 0).access(id ?? tokenId(0n), agentOf(world, 0))
  return Math.max(
    0,
    all.findIndex(({ ledger }) => ledger.agent === access?.owner),
  )
}

type Settled = Exclude<Recipient, 'guest'>

function accountOf(world: LedgerHarness, who: number, to: Recipient): Account {
  if (to === 'nobody') return nobody
  if (to === 'pauper') return world.pauper.ledger.agent
  return agentOf(world, typeof to === 'number' ? to : who)
}

function walletOf(world: LedgerHarness, who: number): Party {
  const party = walletsOf(world)[who]
  assert.ok(party, 'a world has four parties and a pauper')
  return party
}

const ledgerOf = (world: LedgerHarness, who: number) => walletOf(world, who).ledger
const agentOf = (world: LedgerHarness, who: number) => ledgerOf(world, who).agent
