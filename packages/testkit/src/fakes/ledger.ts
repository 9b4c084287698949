import {
  type Account,
  account,
  type Clock,
  type Digest,
  type Dollars,
  dollars,
  Failure,
  forkRoyalty,
  type HeirPlan,
  type HistoryEntry,
  type Ledger,
  nobody,
  noPrices,
  type Order,
  type Provenance,
  type Registry,
  type Terms,
  type TokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import { size } from 'viem'
import {
  type DepositActs,
  type HeirActs,
  type OrderRecord,
  type PaidOrder,
  wallets,
} from '../harness.ts'
import {
  balanceOf,
  blockTime,
  type ChainState,
  checksummed,
  dollarsOf,
  handOver,
  lineOf,
  memoryDollar,
  recordBlock,
  rentalKey,
  requireGas,
  requireRecipient,
  requireToken,
  sourceOf,
  termsKey,
  writeResultsOf,
} from './chain-state.ts'
import { stoppedClock } from './clock.ts'
import { depositActs, recordOf } from './deposits.ts'
import { giveSign, heirActs, planOf } from './heirs.ts'
import { idempotentWrites } from './idempotent-writes.ts'
import { isSigned, sharedWallet, walletSigned } from './is-signed.ts'
import { writes } from './ledger-writes.ts'
import { payOrder } from './orders.ts'

/** A chain in memory for any number of wallets; its gas is free. */
export type MemoryChain = {
  /** Returns the ledger that signs and pays with the given wallet. */
  readonly ledger: (agent: Account) => Ledger
  /** Transfers a token outside the market. */
  readonly transfer: (from: Account, tokenId: TokenId, to: Account) => Promise<void>
  /** Deploys a contract wallet that needs the signatures of all its owners; returns its address. */
  readonly sharedWallet: (owners: readonly Account[]) => Account
  /** Adds an amount to the balance of an account. */
  readonly fund: (holder: Account, amount: Wei) => void
  readonly balance: (holder: Account) => Wei
  /** Adds dollars to the balance of an account. */
  readonly fundDollars: (holder: Account, amount: Dollars) => void
  readonly dollars: (holder: Account) => Dollars
  /** Pays an order with the dollars of an account, and carries it out. */
  readonly payOrder: (payer: Account, order: Order) => Promise<PaidOrder>
  /** Returns what an account does with orders that are paid at an address of their own. */
  readonly deposits: (agent: Account) => DepositActs
  /** Returns the state of an order, and the dollars at its address. */
  readonly orderRecord: (order: Order) => OrderRecord
  /** Returns the acts of an account for its heir, and as an heir. */
  readonly heirs: (agent: Account) => HeirActs
  /** Returns what an account has arranged for its heir; `undefined` where it has named none. */
  readonly heirPlan: (of: Account) => HeirPlan | undefined
  /** Returns the permanent record of a token. */
  readonly provenance: (tokenId: TokenId) => Provenance | undefined
  /** Returns all events so far; each write makes a block of its own. */
  readonly history: () => readonly HistoryEntry[]
  /** Calls `call` after every block; returns a function that ends the subscription. */
  readonly onBlock: (call: () => void) => () => void
  /** Returns the digest of the card that was emitted when the token was minted. */
  readonly cardOf: (tokenId: TokenId) => Digest | undefined
}

/** The registry of every chain in memory; its address is made up. */
export const memoryRegistry: Registry = {
  chainId: 31_337,
  address: checksummed(account(`0x${'4e'.repeat(20)}`)),
}

/** Creates an empty chain whose block time is the clock's, in whole seconds. */
export function memoryChain({ clock }: memoryChain.Options): MemoryChain {
  const state = emptyState(clock)
  return {
    ledger: (agent) => ({
      agent: checksummed(agent),
      registry: memoryRegistry,
      ...reads(state),
      ...idempotentWrites(
        writeResultsOf(state, checksummed(agent)),
        writes(state, checksummed(agent)),
      ),
    }),
    transfer: async (from, tokenId, to) => {
      requireRecipient(to)
      const token = requireToken(state, tokenId)
      requireOwner(tokenId, token.owner, checksummed(from))
      requireGas(state, checksummed(from))
      giveSign(state, from)
      handOver(state, tokenId, token, to)
      const event = { kind: 'transfer', tokenId, from: token.owner, to: checksummed(to) } as const
      recordBlock(state, [event])
    },
    sharedWallet: (owners) => sharedWallet(state, owners),
    fund: (holder, amount) => {
      state.balances.set(checksummed(holder), wei(balanceOf(state, holder) + amount))
    },
    balance: (holder) => balanceOf(state, holder),
    fundDollars: (holder, amount) => {
      state.dollars.set(checksummed(holder), dollars(dollarsOf(state, holder) + amount))
    },
    dollars: (holder) => dollarsOf(state, holder),
    payOrder: (payer, order) => payOrder(state, checksummed(payer))(order),
    deposits: (agent) => depositActs(state, checksummed(agent)),
    orderRecord: (order) => recordOf(state, order),
    heirs: (agent) => heirActs(state, checksummed(agent)),
    heirPlan: (of) => planOf(state, of),
    provenance: (tokenId) => state.tokens.get(tokenId)?.record,
    history: () => state.history,
    onBlock: (call) => {
      state.listeners.add(call)
      return () => state.listeners.delete(call)
    },
    cardOf: (tokenId) => state.cards.get(tokenId),
  }
}

export declare namespace memoryChain {
  type Options = { readonly clock: Clock }
}

const emptyState = (clock: Clock): ChainState => ({
  clock,
  tokens: new Map(),
  terms: new Map(),
  rentals: new Map(),
  cards: new Map(),
  balances: new Map(),
  dollars: new Map(),
  closedOrders: new Map(),
  signs: new Map(),
  plans: new Map(),
  wallets: new Map(),
  writeResults: new Map(),
  history: [],
  listeners: new Set(),
  transactions: 0n,
})

/** Creates a ledger on a chain of its own, for a test wallet with 1,000,000 native tokens. */
export function memoryLedger({ clock = stoppedClock() }: memoryLedger.Options = {}): Ledger {
  const chain = memoryChain({ clock })
  const agent = account(wallets[0].address)
  chain.fund(agent, wei(10n ** 24n))
  return chain.ledger(agent)
}

export declare namespace memoryLedger {
  type Options = { readonly clock?: Clock }
}

type Reads = Pick<
  Ledger,
  | 'access'
  | 'holding'
  | 'provenance'
  | 'listing'
  | 'isSignedByKey'
  | 'isSignedByContract'
  | 'isSignedByCreator'
>

function reads(state: ChainState): Reads {
  const accessTo = (tokenId: TokenId, reader: Account) => {
    const token = state.tokens.get(tokenId)
    if (token === undefined) return undefined
    const { contentHash, digest } = token.record
    const expiresAt = state.rentals.get(rentalKey(tokenId, reader))
    const { owner } = token
    const source = sourceOf(state, token)
    return { owner, expiresAt, contentHash, digest, asOf: blockTime(state), source }
  }
  return {
    access: async (tokenId, reader) => accessTo(tokenId, reader),
    holding: async (tokenId) => {
      const access = accessTo(tokenId, nobody)
      const transfers = state.tokens.get(tokenId)?.transfers
      return access && { ...access, transferCount: BigInt(transfers ?? 0) }
    },
    provenance: async (tokenId) => state.tokens.get(tokenId)?.record,
    listing: async (tokenId) => {
      const token = state.tokens.get(tokenId)
      if (token === undefined) return undefined
      const listed = state.terms.get(termsKey(tokenId, token))
      const { dollars: prices, ...terms } = listed ?? nothingOffered
      const owed = forkRoyalty(lineOf(state, token), terms.forkRoyaltyBps)
      const inDollars = prices && { dollars: { asset: memoryDollar, ...prices } }
      return { tokenId, seller: listed ? token.owner : nobody, ...terms, ...inDollars, ...owed }
    },
    isSignedByKey: async ({ message: texts, account: by, signature }) => {
      for (const message of [texts].flat())
        if (await isSigned({ message, account: by, signature })) return true
      const isLong = size(signature) > 65
      return isLong || state.wallets.has(by) ? undefined : false
    },
    isSignedByContract: (statement) => walletSigned(state, statement),
    isSignedByCreator: (statement) =>
      state.wallets.has(statement.account) ? walletSigned(state, statement) : isSigned(statement),
  }
}

const nothingOffered: Terms = { ...noPrices, forkRoyaltyBps: 0 }

function requireOwner(tokenId: TokenId, owner: Account, account: Account): void {
  if (owner !== account) throw new Failure('token/not-owner', { tokenId, account })
}
