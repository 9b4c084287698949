import type { Hex } from '@heirloom/core'
import type { TransactionReceipt, TransactionSerializableEIP1559 } from 'viem'
import type { Account } from '../client/proof/access-proof.ts'

/** A transaction that is signed and may have been sent. */
export type Sent = {
  readonly txHash: Hex
  /** The signed bytes; absent where the wallet sends by itself. */
  readonly raw?: Hex
}

/** An account that sends transactions. */
export type Sender = Account & {
  /**
   * Signs and sends a transaction. Calls `onSent` as soon as the transaction may reach the chain.
   *
   * @throws `transaction/unconfirmed` or `transaction/unknown` if the chain may have it,
   * `client/declined`, and the failures of a refusal
   */
  readonly send: (
    transaction: TransactionSerializableEIP1559,
    onSent: (sent: Sent) => void,
  ) => Promise<void>
  /**
   * Waits for the receipt of a transaction that may have been sent.
   *
   * @throws `transaction/unconfirmed`, `transaction/cancelled`
   */
  readonly waitForReceipt: (sent: Sent) => Promise<TransactionReceipt>
}
