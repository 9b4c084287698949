import type { LocalAccount } from 'viem'
import type { Account } from '../client/proof/access-proof.ts'

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
