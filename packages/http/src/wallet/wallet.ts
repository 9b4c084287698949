import type { ContractPair } from '@heirloom/adapters/internal/acts'
import type { Quote, SignedAct } from '@heirloom/adapters/internal/wallet'
import type { Currency, Hex } from '@heirloom/core'
import type { NameCalls } from '../client/name-calls.ts'
import type {
  AcquireInput,
  AmountInput,
  ForkInput,
  ListInput,
  RentInput,
  RoyaltyInput,
  SnapshotInput,
  TokenIdInput,
} from '../client/requests.ts'
import type {
  Forked,
  Heir,
  Listing,
  Minted,
  Rented,
  Wallet as ServerWallet,
  Written,
} from '../client/responses.ts'
import type { WriteOptions } from '../client/transport/transport.ts'
import type { Granted, GrantInput } from './grant-memory.ts'

export type { Quote, RelayRequest, SignedAct } from '@heirloom/adapters/internal/wallet'
export type { Granted, GrantInput } from './grant-memory.ts'

/** The options of an act. An idempotency key counts for as long as the `store` of the wallet lasts. */
export type ActOptions = WriteOptions & {
  /**
   * Called with the hash of the transaction as soon as it may reach the chain, and with that of each
   * one that replaces it at higher fees; where a server relays the act, with the hash of what was signed,
   * and with that itself. Pass the one or the other to `confirm` if the act does not end.
   */
  readonly onSent?: ((hash: Hex, signed?: SignedAct) => void) | undefined
}

/** The highest price in dollars, in their smallest unit, for a token that is offered in dollars. */
type DollarLimit = { readonly maxDollars?: AmountInput | undefined }

/** The recipient and the highest total price of a purchase, in the currency of the listing. */
export type OwnAcquireInput = AcquireInput & DollarLimit

/** The length of a rental, its recipient and its highest price. */
export type OwnRentInput = RentInput & DollarLimit

/** The recipient of a fork, its highest price, and the highest royalties it may owe. */
export type OwnForkInput = ForkInput & DollarLimit

/** The royalty to pay to the creator of a token: in wei, or in dollars, in their smallest unit. */
export type OwnRoyaltyInput = RoyaltyInput | { readonly dollars: AmountInput }

/** The memory to snapshot, and the private name of the account that it is saved to. */
export type OwnSnapshotInput = SnapshotInput & {
  readonly name?: string | undefined
  /**
   * The token that the account believes to be the last version of the name, 0 for none. When absent it
   * is whatever the server has, as long as the account is its creator.
   */
  readonly after?: TokenIdInput | undefined
}

/** The names of an account at a server, which it alone may read and change. Each request signs a text. */
export type OwnNames = NameCalls

/** The receiver of a token that is transferred. */
export type TransferInput = { readonly to: Hex }

/** The receiver of the credit, and its currency. */
export type WithdrawInput = {
  /** The account itself when absent. */
  readonly to?: Hex | undefined
  /** Native money when absent. */
  readonly currency?: Currency | undefined
}

/** The mined transaction, and the credit that it paid out. */
export type Withdrawn = Written & {
  /** In wei. */
  readonly amount: string
  /** The credit in dollars, in their smallest unit; absent for one in wei. */
  readonly dollars?: { readonly asset: Hex; readonly amount: string }
}

/** An heir, with the days of silence and of notice: 30 to 3650 each. */
export type HeirInput = {
  readonly heir: Hex
  /** The days without a sign of life after which the heir may announce a takeover. */
  readonly silenceDays: number
  /** The days from the announcement to the takeover, in which a sign of life ends it. */
  readonly noticeDays: number
}

/** The tokens that an heir takes over, 1 to 200. */
export type TakeoverInput = { readonly tokenIds: readonly TokenIdInput[] }

/** The mined transaction, and the time from which the heir may take over, in seconds since 1970. */
export type Announced = Written & { readonly takeoverAt: string }

/** The mined transaction, and the credit that the heir took over: in wei, and in dollars. */
export type CreditTaken = Written & {
  readonly amount: string
  /** In the smallest unit of the dollar. */
  readonly dollars: string
}

/** The acts of a wallet, which signs and pays each of them itself. */
export type Acts = {
  /**
   * Lets the server seal a memory for this account, and mints its token. With a `name` it is the next
   * version of that name of the account, and its parent the last one.
   */
  readonly snapshot: (memory: OwnSnapshotInput, options?: ActOptions) => Promise<Minted>
  /** Sets the terms of a token of this account; with every price 0 it is unlisted. */
  readonly list: (terms: ListInput, options?: ActOptions) => Promise<Written>
  /** Buys a token at the price that the chain has. */
  readonly buy: (
    tokenId: TokenIdInput,
    terms?: OwnAcquireInput,
    options?: ActOptions,
  ) => Promise<Written>
  /** Rents a token at the price that the chain has. */
  readonly rent: (
    tokenId: TokenIdInput,
    terms: OwnRentInput,
    options?: ActOptions,
  ) => Promise<Rented>
  /** Mints a licensed child of a token at the price that the chain has. */
  readonly fork: (
    tokenId: TokenIdInput,
    terms?: OwnForkInput,
    options?: ActOptions,
  ) => Promise<Forked>
  /** Pays a royalty to the creator of a token. */
  readonly royalty: (
    tokenId: TokenIdInput,
    terms: OwnRoyaltyInput,
    options?: ActOptions,
  ) => Promise<Written>
  /** Withdraws the credit of this account: payments that it could not receive. */
  readonly withdraw: (terms?: WithdrawInput, options?: ActOptions) => Promise<Withdrawn>
  /** Transfers a token of this account, without a price; this ends its listing. */
  readonly transfer: (
    tokenId: TokenIdInput,
    terms: TransferInput,
    options?: ActOptions,
  ) => Promise<Written>
  /** Names the heir of this account, in place of any other. It is a sign of life. */
  readonly nameHeir: (plan: HeirInput, options?: ActOptions) => Promise<Written>
  /** Ends what this account has arranged: it has no heir any longer. */
  readonly clearHeir: (options?: ActOptions) => Promise<Written>
  /** Gives a sign of life, which ends a takeover under way. */
  readonly heartbeat: (options?: ActOptions) => Promise<Written>
  /** Announces as the heir of a silent account that it will take over its tokens. */
  readonly announceTakeover: (account: Hex, options?: ActOptions) => Promise<Announced>
  /** Takes over tokens of an account as its heir, after the notice. */
  readonly takeOver: (account: Hex, tokens: TakeoverInput, options?: ActOptions) => Promise<Written>
  /** Takes over the credit of an account as its heir, after the notice. */
  readonly takeOverCredit: (account: Hex, options?: ActOptions) => Promise<CreditTaken>
}

/** The name of an act. */
export type ActName = keyof Acts

/** The balances and the limits of a wallet in one currency, as decimal strings. */
type CurrencyBalance = Pick<ServerWallet, 'maxSpendPerCall' | 'maxSpendPerDay'> & {
  readonly balance: string
  /** The credit at the marketplace: payments that the account could not receive. */
  readonly credit: string
  /** The amount that counts against the limit of today (UTC); includes acts in progress. */
  readonly spentToday: string
}

/** The balances and the limits of a wallet, in wei. */
export type WalletBalance = CurrencyBalance & {
  /** The same in dollars, in their smallest unit; absent where the contracts have none. */
  readonly dollars?: CurrencyBalance & { readonly asset: Hex }
}

/** The result of a transaction that was waited for again. */
export type Confirmed = Written & {
  /** The token that a snapshot or a fork minted. */
  readonly tokenId?: string
  /** The end of a rental, in seconds since the Unix epoch. */
  readonly expiresAt?: string
  /** The time from which an heir may take over, in seconds since the Unix epoch. */
  readonly takeoverAt?: string
}

/** An account that acts for itself on the contracts of a server. Each call fails with a `HeirloomError`. */
export type Wallet = Acts &
  OwnNames & {
    /** The address of the account, checksummed. */
    readonly address: Hex
    readonly chainId: number
    readonly contracts: ContractPair
    /** Simulates an act and returns its cost. Signs and sends nothing. */
    readonly quote: <name extends ActName>(
      name: name,
      ...input: Parameters<Acts[name]>
    ) => Promise<Quote>
    /**
     * Waits for a transaction that was sent, and returns its effects. Takes the hash that `onSent` and
     * `transaction/unconfirmed` have; for what another process signed to be relayed, the signed act. Signs
     * nothing, and sends no more than the same bytes.
     */
    readonly confirm: (sent: Hex | SignedAct) => Promise<Confirmed>
    /**
     * Lets another account read the memory of a token of this account, or all versions of one of its
     * names, until a time: signs that, and deposits it at the server. Pays nothing.
     */
    readonly grant: (input: GrantInput, options?: Pick<WriteOptions, 'signal'>) => Promise<Granted>
    /** Returns the current terms of a token, read from the chain. */
    readonly listing: (tokenId: TokenIdInput) => Promise<Listing>
    /** Returns who takes over the tokens of an account, this one by default; read from the chain. */
    readonly heir: (account?: Hex) => Promise<Heir>
    /** Returns the balance and the credit of the account, read from the chain. */
    readonly balance: () => Promise<WalletBalance>
  }
