import { account, Failure, wei } from '@heirloom/core'
import type { Hex, PublicClient, TransactionReceipt, TransactionSerializableEIP1559 } from 'viem'
import { callNode, failureIn, isRefusal } from './node-call.ts'

/** A call of a contract, or a deployment when `to` is absent. */
export type Call = {
  readonly operation: string
  readonly to?: Hex | undefined
  readonly data: Hex
  readonly value?: bigint | undefined
}

/** The longest wait for a block, in milliseconds; then the result is `transaction/unconfirmed`. */
export const miningTimeout = 120_000

/** A client of the chain, and the address that sends. */
type Sender = { readonly client: PublicClient; readonly wallet: { readonly address: Hex } }

/**
 * Simulates and prices a call, so that a call that would fail costs nothing. Returns the unsigned
 * transaction, with the wallet's next nonce.
 *
 * @throws the failure that a revert names, `wallet/short`, `ledger/unavailable`
 */
export async function prepareTransaction(
  { client, wallet }: Sender,
  { operation, to, data, value = 0n }: Call,
): Promise<TransactionSerializableEIP1559> {
  const { address } = wallet
  const balance = await callNode('eth_getBalance', () => client.getBalance({ address }))
  requireBalance(address, balance, value)
  const prepare = () =>
    Promise.all([
      client.estimateGas({ account: address, to, data, value }),
      client.estimateFeesPerGas(),
      client.getTransactionCount({ address, blockTag: 'pending' }),
      client.getChainId(),
    ])
  const [estimate, fees, nonce, chainId] = await callNode(operation, prepare, data)
  const gas = withGasMargin(estimate)
  const needed = value + gas * fees.maxFeePerGas
  if (balance < needed && !(await isContract(client, address))) {
    requireBalance(address, balance, needed)
  }
  return { type: 'eip1559', chainId, nonce, to: to ?? null, data, value, gas, ...fees }
}

/** The code of an account that delegates to a contract (EIP-7702) begins so; its own key pays. */
const delegation = '0xef0100'

/** Returns whether an account is a contract, for which others pay the fees. */
async function isContract(client: PublicClient, address: Hex): Promise<boolean> {
  const code = await callNode('eth_getCode', () => client.getCode({ address }))
  return code !== undefined && !code.startsWith(delegation)
}

/** Returns the gas limit for an estimate. The cost may grow until the block; unused gas is free. */
export function withGasMargin(estimate: bigint): bigint {
  return (estimate * 5n) / 4n + 30_000n
}

/**
 * Requires that a wallet with `balance` wei can spend `needed`.
 *
 * @throws `wallet/short`
 */
export function requireBalance(address: Hex, balance: bigint, needed: bigint): void {
  if (balance >= needed) return
  throw new Failure('wallet/short', {
    account: account(address),
    balance: wei(balance),
    needed: wei(needed),
  })
}

/** A signed transaction and its hash. */
type Signed = { readonly raw: Hex; readonly txHash: Hex }

/**
 * Sends a signed transaction.
 *
 * @throws `transaction/unconfirmed` if the node may have accepted it; if it refused it, the failure
 * that a revert names, or `ledger/unavailable`
 */
export async function broadcast(
  { client }: Pick<Sender, 'client'>,
  { raw, txHash }: Signed,
): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
  } catch (cause) {
    // Only a refusal by the node proves that the transaction was not accepted.
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

/** A transaction that was sent, and the longest wait for its block in milliseconds. */
type Awaited = { readonly txHash: Hex; readonly timeout?: number | undefined }

/**
 * Waits for the receipt of a transaction that was sent.
 *
 * @throws `transaction/unconfirmed`
 */
export async function waitForReceipt(
  { client }: Pick<Sender, 'client'>,
  { txHash, timeout = miningTimeout }: Awaited,
): Promise<TransactionReceipt> {
  const wait = { hash: txHash, timeout, checkReplacement: false }
  try {
    // A chain that mines at once has the receipt already, without a wait for blocks.
    return await client
      .getTransactionReceipt({ hash: txHash })
      .catch(() => client.waitForTransactionReceipt(wait))
  } catch (cause) {
    throw new Failure('transaction/unconfirmed', { txHash }, { cause })
  }
}

/** Returns the reason of a revert by a simulation of the call on the newest state. */
export async function findRevertReason(
  { client, wallet }: Sender,
  { to, data, value = 0n, gas }: Pick<Call, 'to' | 'data' | 'value'> & { readonly gas?: bigint },
): Promise<Failure | undefined> {
  return client.call({ account: wallet.address, to, data, value, ...(gas && { gas }) }).then(
    () => undefined,
    (error: unknown) => failureIn(error, data),
  )
}
