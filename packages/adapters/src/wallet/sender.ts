import type { Hex } from '@heirloom/core'
import type {
  LocalAccount,
  TransactionReceipt,
  TransactionSerializableEIP1559,
  TypedDataDefinition,
} from 'viem'
import type { Act } from '../ledger/acts/index.ts'
import type { OpenOrder } from './open-orders.ts'
import type { SignedAct } from './signed-act.ts'

/** A signed transaction and its hash. */
export type SignedBytes = { readonly txHash: Hex; readonly raw: Hex }

/** An act that is signed and may have been sent. */
export type Sent = {
  /** The hash of the transaction; where a server relays it, the hash of what was signed. */
  readonly txHash: Hex
  /** The signed bytes of the transaction; absent where the wallet sends by itself. */
  readonly raw?: Hex
  /**
   * The transactions that were signed in its place, with the same nonce and call and higher fees, the
   * newest last. At most one of all is mined.
   */
  readonly replacements?: readonly SignedBytes[]
  /** The signed act, where a server relays it. */
  readonly signed?: SignedAct
  /** The order that it pays. */
  readonly order?: OpenOrder
}

/**
 * Called before a transaction that replaces a sent one leaves the account, with the most that the act
 * then can cost in wei; one that throws lets it not leave.
 */
export type OnReplace = (replacement: SignedBytes, cost: bigint) => void

/** An account that signs texts and typed data (EIP-712). */
export type Signer = Account & {
  readonly signTypedData: (data: TypedDataDefinition) => Promise<Hex>
}

/** The calls while an act leaves an account; one that throws lets nothing leave. */
export type SendEvents = {
  /**
   * Called before a wallet that sends by itself gets the request. From then on the chain may get a
   * transaction whose hash is not known.
   */
  readonly onRequest?: (() => void) | undefined
  /** Called as soon as the act may reach the chain and its hash is known. */
  readonly onSent: (sent: Sent) => void
}

/** Returns the transactions of an act, the newest last. */
export const attemptsOf = ({ txHash, replacements = [] }: Sent): readonly Hex[] => [
  txHash,
  ...replacements.map((it) => it.txHash),
]

/** Returns the hash of the newest transaction of an act. */
export const newestHash = ({ txHash, replacements }: Sent): Hex =>
  replacements?.at(-1)?.txHash ?? txHash

/** An account that sends transactions. */
export type TransactionSender = Signer & {
  /**
   * Signs and sends a transaction.
   *
   * @throws `transaction/unconfirmed` or `transaction/unknown` if the chain may have it,
   * `client/declined`, and the failures of a refusal
   */
  readonly send: (transaction: TransactionSerializableEIP1559, events: SendEvents) => Promise<void>
  /**
   * Waits for the receipt of a transaction that may have been sent, or of one that replaced it. With
   * `onReplace` an account whose key is here raises the fees of one that blocks leave out.
   *
   * @throws `transaction/unconfirmed`, `transaction/cancelled`
   */
  readonly waitForReceipt: (sent: Sent, onReplace?: OnReplace) => Promise<TransactionReceipt>
}

/** An act that would succeed. */
export type Prepared = {
  /** The most that it can cost the account, in wei: the payment and the fees. */
  readonly cost: bigint
  /** Signs it and lets it go. */
  readonly send: (events: SendEvents) => Promise<void>
}

/** An account whose acts reach the chain, in transactions of its own or by a server that relays them. */
export type Sender = Signer &
  Pick<TransactionSender, 'waitForReceipt'> & {
    /**
     * Simulates an act; with `order` when it pays one. Signs nothing.
     *
     * @throws the failure that a revert names, `wallet/short`, `ledger/unavailable`
     */
    readonly prepare: (act: Act, order?: OpenOrder) => Promise<Prepared>
    /** Returns the highest fees of an order, in wei, without a simulation of it. */
    readonly highestOrderFee: () => Promise<bigint>
    /** Returns the fees that the account paid for a transaction, in wei. */
    readonly feeOf: (receipt: TransactionReceipt) => bigint
  }

/** An account that signs texts. */
export type Account = {
  /** The address of the account. */
  readonly address: Hex
  /** Signs a text as `personal_sign` does (ERC-191). */
  readonly signMessage: (input: { readonly message: string }) => Promise<Hex>
}

/** An account whose key is in this process; viem's `LocalAccount` has this type. */
export type SigningAccount = Account & Pick<LocalAccount, 'signTransaction' | 'signTypedData'>

/** A wallet that signs and sends by itself, such as that of a browser (EIP-1193). */
export type Provider = {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

/** The account that acts. */
export type WalletAccount = SigningAccount | Provider

/** Returns whether an account is a wallet that signs and sends by itself. */
export const isProvider = (account: WalletAccount): account is Provider => 'request' in account
