import { createHash } from 'node:crypto'
import type {
  Account,
  BlobStorage,
  BlobStore,
  Catalogue,
  Digest,
  Dollars,
  Hash,
  HeirPlan,
  Hex,
  Instant,
  Ledger,
  MemoryService,
  Names,
  Order,
  OrderState,
  Receipt,
  TokenId,
  Wei,
} from '@heirloom/core'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** A wallet and its operations on a shared chain. */
export type Party = {
  /** Signs and pays with this wallet. */
  readonly ledger: Ledger
  /** Signs a message with this wallet (EIP-191). */
  readonly sign: (message: string) => Promise<Hex>
  /** Transfers a token of this wallet outside the market, by a plain ERC-721 transfer. */
  readonly transfer: (tokenId: TokenId, to: Account) => Promise<void>
  /** Returns the balance of the wallet, with all gas that it ever paid added back. */
  readonly balance: () => Promise<Wei>
  /** Returns the dollars of the wallet. */
  readonly dollars: () => Promise<Dollars>
  /**
   * Pays an order with the dollars of the wallet, by an authorization for it, and has it carried out.
   *
   * @throws `order/short` when the wallet has too few dollars, and the failures of the contracts
   */
  readonly payOrder: (order: Order) => Promise<PaidOrder>
  /** The acts of the wallet for orders that are paid at an address of their own. */
  readonly deposits: DepositActs
  /** The acts of the wallet for its heir, and as an heir. */
  readonly heirs: HeirActs
}

/** The acts of an account for orders in dollars that are paid at an address of their own. */
export type DepositActs = {
  /**
   * Sends dollars of the wallet to the address of an order.
   *
   * @throws `order/short` when the wallet has too few
   */
  readonly payIn: (order: Order, amount: Dollars) => Promise<Receipt>
  /**
   * Has an order carried out with the dollars at its address; what is left there is refunded.
   *
   * @throws `order/closed`, `order/expired`, `order/foreign-asset`, `order/short`, and the failures of
   * its act
   */
  readonly settle: (order: Order) => Promise<PaidOrder>
  /**
   * Sends the dollars at the address of an order to the account that it names for refunds, as that
   * account or as a stranger.
   *
   * @throws `order/refund-too-early`, `order/refund-failed`
   */
  readonly refund: (order: Order) => Promise<Receipt>
}

/** The state of an order, and the dollars at its address. */
export type OrderRecord = { readonly state: OrderState; readonly balance: Dollars }

/** The acts of an account for its heir, and as the heir of another account. */
export type HeirActs = {
  /**
   * Names an heir, or none; a sign of life.
   *
   * @throws `heir/bad-delay`, `heir/invalid`
   */
  readonly nameHeir: (
    plan: Pick<HeirPlan, 'heir' | 'silenceDays' | 'noticeDays'> | undefined,
  ) => Promise<Receipt>
  /** Gives a sign of life and nothing else. */
  readonly heartbeat: () => Promise<Receipt>
  /**
   * Announces to take over the tokens of an account.
   *
   * @throws `heir/not-heir`, `heir/already-announced`, `heir/not-silent`
   */
  readonly announceTakeover: (of: Account) => Promise<Receipt>
  /**
   * Takes over tokens of an account: all of these or none.
   *
   * @throws `heir/not-heir`, `heir/not-announced`, `heir/too-early`, `batch/bad-size`,
   * `token/not-found`, `token/not-owner`
   */
  readonly takeOver: (of: Account, tokenIds: readonly TokenId[]) => Promise<Receipt>
}

/** The receipt of an order that was carried out, and the token of a fork. */
export type PaidOrder = Receipt & { readonly tokenId?: TokenId }

/** A blob storage, and what is around it. */
export type BlobStorageHarness = {
  readonly storage: BlobStorage
  /** A store whose blobs an open storage gets over a network; absent where it has no peers. */
  readonly peer?: BlobStore | undefined
  /**
   * A storage at the same place, with another folder, as another server has it; absent where a
   * folder is the whole place.
   */
  readonly beside?: BlobStorage | undefined
  /** Damages the stored bytes of a blob; absent where the harness cannot reach them. */
  readonly damage?: ((digest: Digest) => Promise<void>) | undefined
}

/** A chain with a few wallets and a clock that can be advanced. */
export type LedgerHarness = {
  /** Four wallets that share the chain, each with at least 1000 native tokens. */
  readonly parties: readonly Party[]
  /** The dollar of the contracts, of which each of the parties has at least 10 ** 9. */
  readonly dollar: Account
  /** A wallet without any funds, not even for gas. */
  readonly pauper: Party
  /**
   * Deploys a contract wallet (ERC-1271) that recognises a message when all the given parties
   * signed it. The signatures are concatenated in the order of their addresses.
   */
  readonly sharedWallet: (owners: readonly Party[]) => Promise<Account>
  /** Advances the clock of the harness and the time of the chain. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** Returns the digest of the card that the chain emitted when the token was minted. */
  readonly cardOf: (tokenId: TokenId) => Promise<Digest | undefined>
  /** Returns what an account has arranged for its heir; `undefined` where it has named none. */
  readonly heirPlan: (of: Account) => Promise<HeirPlan | undefined>
  /** Returns the state of an order, and the dollars at its address. */
  readonly orderRecord: (order: Order) => Promise<OrderRecord>
  /** Returns the time of the harness; the time of the chain differs by a few minutes at most. */
  readonly now: () => Instant
}

/** A chain with a service for each party, all over one blob store. */
export type ServiceHarness = LedgerHarness & {
  /** The services, each at the index of the party that it acts for. */
  readonly services: readonly MemoryService[]
  /** The names of all services. */
  readonly names: Names
  /**
   * Erases the memory of a token for a party that owns it, which signs; another signs in its name where
   * one is given.
   */
  readonly erase: (owner: Party, tokenId: TokenId, signer?: Party) => Promise<void>
}

/** A chain with a catalogue of it. */
export type CatalogueHarness = LedgerHarness & {
  readonly catalogue: Catalogue
  /** Resolves once the catalogue has indexed all writes of the ledgers so far. */
  readonly caughtUp: () => Promise<void>
  /** Stores the block of a card where the catalogue reads it. */
  readonly keepCard: (block: Uint8Array) => Promise<Digest>
  /** Seals a memory for a creator and stores it where the catalogue reads it; mints no token. */
  readonly seal: (
    creator: Account,
    options?: SealChoices,
  ) => Promise<{ readonly contentHash: Hash; readonly digest: Digest }>
}

/** The options of a seal besides the memory. */
export type SealChoices = {
  /** The pointers of the excerpts to show; the memory has `/metadata/category` and the format `letta-af`. */
  readonly excerpts?: readonly string[]
  /** Whether it is sealed under a key that the catalogue does not have. */
  readonly isForeign?: boolean
}

type Four<T> = readonly [T, T, T, T]

/**
 * The private keys of the test wallets. Each is the hash of a public phrase, so never fund them.
 */
export const walletKeys: Four<Hex> = [keyOf('ada'), keyOf('ben'), keyOf('cleo'), keyOf('dan')]

/** The private key of the wallet without funds. */
export const pauperKey: Hex = keyOf('pauper')

/** The four test wallets, the same in every harness. */
export const wallets: Four<PrivateKeyAccount> = [
  privateKeyToAccount(walletKeys[0]),
  privateKeyToAccount(walletKeys[1]),
  privateKeyToAccount(walletKeys[2]),
  privateKeyToAccount(walletKeys[3]),
]

/** The test wallet that no harness may fund. */
export const pauperWallet: PrivateKeyAccount = privateKeyToAccount(pauperKey)

function keyOf(name: string): Hex {
  return `0x${createHash('sha256').update(`heirloom test wallet ${name}`).digest('hex')}`
}
