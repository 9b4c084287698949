import { Failure } from '@heirloom/core'
import {
  bytesToHex,
  hexToBytes,
  type LocalAccount,
  type PublicClient,
  type TransactionReceipt,
} from 'viem'
import { loadKeccak } from '../platform/keccak.ts'
import {
  broadcast,
  type Call,
  findRevertReason,
  prepareTransaction,
  waitForReceipt,
} from './transaction.ts'

type Signer = { readonly client: PublicClient; readonly wallet: LocalAccount }

/**
 * Sends one transaction and returns its receipt, without nonce lane or store: a deployment has
 * its own record. Nothing else may send from the wallet at the same time.
 *
 * @throws the failure that a revert names, `wallet/short`, `ledger/unavailable`,
 * `transaction/unconfirmed`, `transaction/reverted`
 */
export async function sendOnce(signer: Signer, call: Call): Promise<TransactionReceipt> {
  const raw = await signer.wallet.signTransaction(await prepareTransaction(signer, call))
  // A deployment has 40 KB, for which Keccak in JavaScript takes a hundredth of a start.
  const keccak = await loadKeccak()
  const txHash = bytesToHex(keccak(hexToBytes(raw)))
  await broadcast(signer, { raw, txHash })
  const receipt = await waitForReceipt(signer, { txHash })
  if (receipt.status === 'reverted') {
    throw (await findRevertReason(signer, call)) ?? new Failure('transaction/reverted', { txHash })
  }
  return receipt
}
