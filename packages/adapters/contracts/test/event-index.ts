import { type Hex, parseEventLogs, zeroAddress } from 'viem'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import type { ContractHarness } from './contract-harness.ts'
import { state } from './orders.ts'

type Token = {
  record: readonly unknown[]
  owner: string
  transferCount: bigint
  /** Seller, terms, and the asset of the prices. */
  listing: readonly unknown[]
  readonly rentals: Map<string, bigint>
  /** The digest of its card; absent without a card. */
  card?: string
}

/** The plan of an account: heir, days of silence and days of notice. */
type Plan = readonly [heir: string, silenceDays: bigint, noticeDays: bigint]

/** The state that events tell. */
export type EventIndex = {
  readonly tokens: Map<bigint, Token>
  /** Credit in wei, and in dollars. */
  readonly credits: Map<string, bigint>
  readonly dollarCredits: Map<string, bigint>
  /** The states of orders by their hashes; an order without an event is open. */
  readonly orders: Map<Hex, number>
  readonly plans: Map<string, Plan>
}

const unlisted = [zeroAddress, 0n, 0n, 0n, 0n, zeroAddress]
const abi = [...memoryRegistryAbi, ...memoryMarketplaceAbi]

/** Returns the state that follows from all events since the beginning, and nothing else. */
export async function eventIndexOf({ client, registry, marketplace, dollar }: ContractHarness) {
  const address = [registry.address, marketplace.address]
  const events = parseEventLogs({ abi, logs: await client.getLogs({ address, fromBlock: 0n }) })
  const index: EventIndex = {
    tokens: new Map(),
    credits: new Map(),
    dollarCredits: new Map(),
    orders: new Map(),
    plans: new Map(),
  }
  for (const event of events) {
    readOrder(event, index, dollar.address)
    read(event, index)
  }
  return { ...index, names: new Set(events.map(({ eventName }) => eventName)) }
}

type Event = ReturnType<typeof parseEventLogs<typeof abi>>[number]

function read(event: Event, index: EventIndex): void {
  if (event.eventName === 'Transfer') readTransfer(event.args, index.tokens)
  else if (event.eventName === 'HeirNamed') {
    const { account, heir, silenceDays, noticeDays } = event.args
    index.plans.set(account, [heir, silenceDays, noticeDays])
  } else if (!readCredit(event, index)) readTerms(event, index.tokens)
}

function readCredit(event: Event, { credits, dollarCredits }: EventIndex): boolean {
  const add = (to: Map<string, bigint>, account: string, amount: bigint) =>
    to.set(account, (to.get(account) ?? 0n) + amount)
  if (event.eventName === 'Credited') add(credits, event.args.to, event.args.amount)
  else if (event.eventName === 'DollarsCredited')
    add(dollarCredits, event.args.to, event.args.amount)
  else if (event.eventName === 'Withdrawn') credits.set(event.args.account, 0n)
  else if (event.eventName === 'DollarsWithdrawn') dollarCredits.set(event.args.account, 0n)
  else if (event.eventName === 'CreditTakenOver') {
    const { account, heir, amount, dollars } = event.args
    credits.set(account, 0n)
    dollarCredits.set(account, 0n)
    add(credits, heir, amount)
    add(dollarCredits, heir, dollars)
  } else return false
  return true
}

/** Reads what became of an order. Only a refund of dollars closes one, and only an open one. */
function readOrder(event: Event, { orders }: EventIndex, dollar: string): void {
  if (!('orderHash' in event.args)) return
  const { orderHash } = event.args
  if (event.eventName !== 'OrderRefunded') orders.set(orderHash, state.settled)
  else if (event.args.asset === dollar && !orders.has(orderHash))
    orders.set(orderHash, state.refunded)
}

function readTransfer(
  { from, to, tokenId }: { from: string; to: string; tokenId: bigint },
  tokens: Map<bigint, Token>,
): void {
  const token = tokens.get(tokenId) ?? { record: [], transferCount: -1n, rentals: new Map() }
  const transferCount = from === zeroAddress ? 0n : token.transferCount + 1n
  tokens.set(tokenId, { ...token, owner: to, transferCount, listing: unlisted })
}

function readTerms(event: Event, tokens: Map<bigint, Token>): void {
  const token = 'tokenId' in event.args && tokens.get(event.args.tokenId)
  if (!token) return
  if (event.eventName === 'Minted') {
    const { creator, parent, licence, contentHash, digest } = event.args
    token.record = [creator, parent, licence, contentHash, digest]
  } else if (event.eventName === 'Described') token.card = event.args.card
  else if (event.eventName === 'Listed' || event.eventName === 'ListedInDollars') {
    token.listing = listingIn(event)
  } else if (event.eventName === 'Rented' || event.eventName === 'RentedForDollars')
    token.rentals.set(event.args.renter, event.args.expiresAt)
}

function listingIn(event: Extract<Event, { eventName: 'Listed' | 'ListedInDollars' }>) {
  const { seller, price, rentPerDay, forkPrice, royaltyBps } = event.args
  const terms = [price, rentPerDay, forkPrice, royaltyBps]
  const asset = 'asset' in event.args ? event.args.asset : zeroAddress
  return terms.some((term) => term !== 0n) ? [seller, ...terms, asset] : unlisted
}
