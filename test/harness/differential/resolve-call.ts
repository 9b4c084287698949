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
import type { Actor, Command, Offer, Pick, Recipient } from './arbitrary-story.ts'
import type { DollarCommand } from './dollar-commands.ts'
import type { HeirCommand } from './heir-commands.ts'
import type { LastOrder } from './resolve-order.ts'

/** The values that a command returns. */
export type CallResult = {
  readonly txHash?: Hex
  readonly tokenId?: TokenId
  readonly expiresAt?: Instant
}

/** A command with a resolved token, payer and price, so that it is the same on every ledger. */
export type Call = {
  /** The name of the command in the tally. */
  readonly title: string
  readonly who: number
  readonly value: Wei
  readonly run: (world: LedgerHarness) => Promise<CallResult>
}

/** The state of a story, from which its next command is resolved. */
export type StoryState = {
  readonly world: LedgerHarness
  minted: number
  /** The number of orders that were made. */
  orders: number
  lastOrder: LastOrder | undefined
}

/** Returns all wallets of a world; the last one is the pauper. */
export function walletsOf({ parties, pauper }: LedgerHarness): readonly Party[] {
  return [...parties, pauper]
}

const nothing = wei(0n)
const fortune = wei(10n ** 25n)

type MarketCommand = Exclude<Command, DollarCommand | HeirCommand>

/** Resolves a command in native money in the current state. */
export async function marketCall(state: StoryState, command: MarketCommand): Promise<Call> {
  if (command.verb === 'wait') return waitCall(command.milliseconds)
  if (command.verb === 'mint') return mintCall(state, command)
  if (command.verb === 'list' || command.verb === 'transfer') return ownerCall(state, command)
  return paymentCall(state, command)
}

function waitCall(milliseconds: number): Call {
  const run = async (world: LedgerHarness) => {
    await world.wait(milliseconds)
    return {}
  }
  return { title: 'wait', who: 0, value: nothing, run }
}

async function mintCall(state: StoryState, command: Command & { verb: 'mint' }): Promise<Call> {
  const { contentHash, digest, to } = command
  // Every other mint has a card. Derived from the digest: a random choice would change all stories.
  const card = BigInt(digest) % 2n === 0n ? digest : undefined
  const parent =
    command.parent === undefined ? undefined : await idOf(state, command.parent, anyToken)
  const who = await indexOf(state, command.who, undefined)
  const run = async (world: LedgerHarness) => {
    const recipient = accountOf(world, who, to)
    return ledgerOf(world, who).mint({ contentHash, digest, card, parent, recipient })
  }
  return { title: 'mint', who, value: nothing, run }
}

async function ownerCall(
  state: StoryState,
  command: Command & { verb: 'list' | 'transfer' },
): Promise<Call> {
  const id = await idOf(state, command.token, anyToken)
  const who = await indexOf(state, command.who, id)
  if (command.verb === 'list') {
    const run = (world: LedgerHarness) =>
      ledgerOf(world, who).list({ tokenId: id, ...command.terms })
    return { title: 'list', who, value: nothing, run }
  }
  const run = async (world: LedgerHarness) => {
    await walletOf(world, who).transfer(id, accountOf(world, who, command.to))
    return {}
  }
  const self = sameAccount(accountOf(state.world, who, command.to), agentOf(state.world, who))
  return { title: self ? 'transfer to itself' : 'transfer', who, value: nothing, run }
}

type Payment = Command & { readonly verb: 'buy' | 'rent' | 'fork' | 'payRoyalty' }

async function paymentCall(state: StoryState, command: Payment): Promise<Call> {
  const id = await idOf(state, command.token, (listing) => isOffered(listing, command.verb))
  const who = await indexOf(state, command.who, id)
  const listing = await ledgerOf(state.world, who).listing(id)
  if (command.verb === 'payRoyalty') {
    const { amount } = command
    const run = (world: LedgerHarness) => ledgerOf(world, who).payRoyalty({ tokenId: id, amount })
    return { title: command.verb, who, value: amount, run }
  }
  const guests = await guestsOf(state, id)
  const to = command.to === 'guest' ? (guests[0] ?? 'payer') : command.to
  const isRenewal = guests.some((guest) =>
    isSameWallet(state, accountOf(state.world, who, to), guest),
  )
  const price = offeredPrice(listedPrice(listing, command), command.offer)
  const run = (world: LedgerHarness): Promise<CallResult> => {
    const ledger = ledgerOf(world, who)
    const sale = { tokenId: id, price, recipient: accountOf(world, who, to) }
    if (command.verb === 'buy') return ledger.buy(sale)
    if (command.verb === 'rent') return ledger.rent({ ...sale, days: command.days })
    return ledger.fork({ ...sale, maxRoyaltyBps: acceptedRoyalty(listing, command.tolerance) })
  }
  return {
    title: command.verb === 'rent' && isRenewal ? 'renew' : command.verb,
    who,
    value: price,
    run,
  }
}

const isSameWallet = ({ world }: StoryState, one: Account, guest: WalletName) =>
  sameAccount(one, accountOf(world, 0, guest))

/** Returns the wallets with a current rental of a token. */
async function guestsOf({ world }: StoryState, id: TokenId): Promise<readonly WalletName[]> {
  const guests = [0, 1, 2, 3, 'pauper'] as const
  const read = (guest: WalletName) => ledgerOf(world, 0).access(id, accountOf(world, 0, guest))
  const rights = await Promise.all(guests.map(read))
  return guests.filter((_, index) => isActive(rights[index]?.expiresAt, world.now()))
}

function listedPrice(listing: Listing | undefined, command: Payment): bigint {
  if (listing === undefined) return 0n
  if (command.verb === 'buy') return listing.price
  if (command.verb === 'rent') return listing.rentalPricePerDay * BigInt(Math.trunc(command.days))
  return listing.forkPrice
}

export function offeredPrice(price: bigint, offer: Offer): Wei {
  const offers = { exact: price, under: price - 1n, over: price + 1n, nothing, fortune }
  return wei(offers[offer] < 0n ? 0n : offers[offer])
}

export function acceptedRoyalty(listing: Listing | undefined, tolerance: number): number {
  return Math.max(0, (listing?.totalRoyaltyBps ?? 0) + tolerance)
}

/** Matches every token. */
export const anyToken = () => true

function isOffered(listing: Listing, verb: Payment['verb']): boolean {
  if (verb === 'buy') return listing.price > 0n
  if (verb === 'rent') return listing.rentalPricePerDay > 0n
  return verb === 'payRoyalty' || listing.forkPrice > 0n
}

/** Returns the token for a pick; prefers tokens that match. */
export async function idOf(
  { world, minted }: StoryState,
  pick: Pick,
  isMatch: (listing: Listing) => boolean,
): Promise<TokenId> {
  if (pick === 'zero') return tokenId(0n)
  if (pick === 'newest') return tokenId(BigInt(minted))
  if (pick === 'huge') return tokenId(2n ** 256n - 1n)
  const ids = Array.from({ length: minted }, (_, index) => tokenId(BigInt(index + 1)))
  if (pick === 'unminted' || ids.length === 0) return tokenId(BigInt(minted + 1))
  const listings = await Promise.all(ids.map((id) => ledgerOf(world, 0).listing(id)))
  const matches = ids.filter((_, index) => {
    const listing = listings[index]
    return listing !== undefined && isMatch(listing)
  })
  const candidates = matches.length === 0 || pick % 8 === 0 ? ids : matches
  return candidates[pick % candidates.length] ?? tokenId(1n)
}

/** Returns the index of the acting wallet; the first party stands for the owner of no token. */
export async function indexOf(
  { world }: StoryState,
  who: Actor,
  id: TokenId | undefined,
): Promise<number> {
  const all = walletsOf(world)
  if (typeof who === 'number') return who
  if (who === 'pauper') return all.length - 1
  const access = await ledgerOf(world, 0).access(id ?? tokenId(0n), agentOf(world, 0))
  return Math.max(
    0,
    all.findIndex(({ ledger }) => ledger.agent === access?.owner),
  )
}

type WalletName = Exclude<Recipient, 'guest'>

export function accountOf(world: LedgerHarness, who: number, to: Recipient): Account {
  if (to === 'nobody') return nobody
  if (to === 'pauper') return world.pauper.ledger.agent
  return agentOf(world, typeof to === 'number' ? to : who)
}

export function walletOf(world: LedgerHarness, who: number): Party {
  const party = walletsOf(world)[who]
  assert.ok(party, 'a world has four parties and a pauper')
  return party
}

export const ledgerOf = (world: LedgerHarness, who: number) => walletOf(world, who).ledger
export const agentOf = (world: LedgerHarness, who: number) => ledgerOf(world, who).agent

/** Returns the tokens of an account. */
export async function ownedBy(
  { world, minted }: StoryState,
  owner: Account,
): Promise<readonly TokenId[]> {
  const ids = Array.from({ length: minted }, (_, index) => tokenId(BigInt(index + 1)))
  const rights = await Promise.all(ids.map((id) => ledgerOf(world, 0).access(id, owner)))
  return ids.filter((_, index) => rights[index]?.owner === owner)
}
