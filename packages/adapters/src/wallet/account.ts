import type { Hex } from '@heirloom/core'
import type { LocalAccount } from 'viem'

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
