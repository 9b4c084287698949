import type { Hex } from '@heirloom/core'

/** The failures of a wallet beside those of the core, and the facts of each. */
export type WalletFailures = {
  /** The signal of the caller aborted the act. */
  'client/aborted': Record<never, never>
  /** The user of the wallet declined to sign or to send. */
  'client/declined': Record<never, never>
  /** The contracts that the server names are not a pair of this project, or not the expected one. */
  'client/foreign-contracts': { readonly marketplace: Hex; readonly problem: string }
  /** An act needs a node of the chain, and none is known. */
  'client/no-node': { readonly chainId: number }
  /** The node is one of another chain than the server names. */
  'client/wrong-chain': { readonly chainId: number; readonly expected: number }
  /** The server has what was signed, and the chain does not show it. */
  'transaction/unconfirmed': { readonly txHash: Hex }
}

/** A failure that has to do with the account, its app or its node, and that no ledger of a server has. */
export class WalletError<code extends keyof WalletFailures = keyof WalletFailures> extends Error {
  override readonly name = 'WalletError'
  readonly code: code
  readonly facts: WalletFailures[code]

  constructor(
    code: code,
    facts: WalletFailures[code],
    { message, cause }: { readonly message: string; readonly cause?: unknown },
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.facts = facts
  }
}

/** Returns the error of an act that its caller aborted. */
export const abortedError = (cause: unknown): WalletError<'client/aborted'> =>
  new WalletError('client/aborted', {}, { message: 'The call was aborted by its caller.', cause })
