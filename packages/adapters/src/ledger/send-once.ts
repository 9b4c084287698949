import { account, Failure, wei } from '@heirloom/core'
import {
  type Hex,
  keccak256,
  type LocalAccount,
  type PublicClient,
  type TransactionReceipt,
  type TransactionSerializableEIP1559,
} from 'viem'
import { ask, failureIn, isRefusal } from './connection.ts'

/** One call of a contract, or its deployment when `to` is absent. */
export type Call = {
  readonly operation: string
  readonly to?: Hex | undefined
  readonly data: Hex
  readonly value?: bigint | undefined
}

type Signer = { readonly client: PublicClient; readonly wallet: LocalAccount }

/** How long a transaction may stay unmined before its fate is reported as unknown, in milliseconds. */
export const minedWithin = 120_000

/**
 * Returns the receipt of a transaction that the chain has accepted. No job store keeps it: a
 * deployment has a record of its own. Nothing else may send from the wallet at the same time.
 *
 * @throws the failure that a revert names, `wallet/short`, `ledger/unavailable`,
 * `transaction/unconfirmed`, `transaction/reverted`
 */
export async function sendOnce(signer: Signer, call: Call): Promise<TransactionReceipt> {
  const raw = await signer.wallet.signTransaction(await prepare(signer, call))
  const txHash = keccak256(raw)
  await broadcast(signer, raw, txHash)
  const receipt = await mined(signer, txHash)
  if (receipt.status === 'reverted') {
    throw (await reasonNow(signer, call)) ?? new Failure('transaction/reverted', { txHash })
  }
  return receipt
}

/** Prices the call and tries it out, so that one that would fail is never paid for. */
async function prepare(
  { client, wallet }: Signer,
  { operation, to, data, value = 0n }: Call,
): Promise<TransactionSerializableEIP1559> {
  const { address } = wallet
  const balance = await ask('eth_getBalance', () => client.getBalance({ address }))
  refuseShort(address, balance, value)
  const [estimate, fees, nonce, chainId] = await ask(operation, () =>
    Promise.all([
      client.estimateGas({ account: address, to, data, value }),
      client.estimateFeesPerGas(),
      client.getTransactionCount({ address, blockTag: 'pending' }),
      client.getChainId(),
    ]),
  )
  const gas = withMargin(estimate)
  refuseShort(address, balance, value + gas * fees.maxFeePerGas)
  return { type: 'eip1559', chainId, nonce, to: to ?? null, data, value, gas, ...fees }
}

/** Returns the gas to allow: the state may cost more to change by then, and what is not used is not paid. */
export function withMargin(estimate: bigint): bigint {
  return (estimate * 5n) / 4n + 30_000n
}

/** @throws `wallet/short` when a wallet that has `balance` wei cannot spend `needed` */
export function refuseShort(address: Hex, balance: bigint, needed: bigint): void {
  if (balance >= needed) return
  throw new Failure('wallet/short', {
    account: account(address),
    balance: wei(balance),
    needed: wei(needed),
  })
}

async function broadcast({ client }: Signer, raw: Hex, txHash: Hex): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
  } catch (cause) {
    // An error is no evidence that the transaction was lost, unless the node itself refuses it.
    if (await isKnown(client, txHash)) return
    if (!isRefusal(cause)) throw new Failure('transaction/unconfirmed', { txHash }, { cause })
    throw failureIn(cause) ?? new Failure('ledger/unavailable', { operation: 'send' }, { cause })
  }
}

async function isKnown(client: PublicClient, hash: Hex): Promise<boolean> {
  return client.getTransaction({ hash }).then(
    () => true,
    () => false,
  )
}

async function mined({ client }: Signer, txHash: Hex): Promise<TransactionReceipt> {
  const wait = { hash: txHash, timeout: minedWithin, checkReplacement: false }
  try {
    // A chain that mines at once has the receipt already, so the block watcher is not needed.
    return await client
      .getTransactionReceipt({ hash: txHash })
      .catch(() => client.waitForTransactionReceipt(wait))
  } catch (cause) {
    throw new Failure('transaction/unconfirmed', { txHash }, { cause })
  }
}

/** Names the reason of a revert by trying the call again on the state that refused it. */
export async function reasonNow(
  { client, wallet }: Signer,
  { to, data, value = 0n }: Pick<Call, 'to' | 'data' | 'value'>,
): Promise<Failure | undefined> {
  return client.estimateGas({ account: wallet.address, to, data, value }).then(
    () => undefined,
    (error: unknown) => failureIn(error),
  )
}
