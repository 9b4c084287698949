import { account, type TokenId, tokenId } from '@heirloom/core'
import {
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  type LocalAccount,
  type Log,
  type PublicClient,
  parseEventLogs,
  parseTransaction,
  type TransactionReceipt,
  zeroAddress,
} from 'viem'
import { nonceAtForwarder, requestToSign } from '../acts/forwarded.ts'
import type { DeployedPair } from '../contract-pair.ts'
import { forwarderAbi, memoryRegistryAbi } from '../contracts.generated.ts'
import { callNode } from '../node-call.ts'
import type { ForwardRequest } from '../relay/forward-request.ts'
import { broadcast, miningTimeout, prepareTransaction, waitForReceipt } from '../transaction.ts'
import type { MigrationCall } from './encode-calls.ts'

/** The chain of a migration, its contracts, who pays, and who signs. */
export type MigrationChain = {
  readonly client: PublicClient
  readonly chainId: number
  readonly pair: DeployedPair
  /** The number of blocks, its own included, that confirm a transaction. */
  readonly confirmations: number
  /** The wallet that sends the transactions and pays for them. */
  readonly payer: LocalAccount
  /** Returns the wallet of an account whose key is here. */
  readonly walletOf: (account: Hex) => LocalAccount
}

/** A signed transaction that carries out calls of several accounts, all or none. */
export type SignedBatch = { readonly raw: Hex; readonly txHash: Hex; readonly calls: number }

/** The time in which the calls must be carried out, in seconds. */
const validity = 3600

/**
 * Signs calls, and one transaction that carries them out. Each call takes the next nonce of its account
 * at the forwarder, so of two such transactions only one succeeds. `nonces` are those that were read
 * before the caller decided on the calls.
 *
 * @throws the failure that a contract names, `wallet/short`, `ledger/unavailable`
 */
export async function signBatch(
  { client, chainId, pair, payer, walletOf }: MigrationChain,
  calls: readonly MigrationCall[],
  nonces: ReadonlyMap<string, bigint>,
): Promise<SignedBatch> {
  const { timestamp } = await callNode('eth_getBlockByNumber', () => client.getBlock())
  const deadline = Number(timestamp) + validity
  const next = new Map(nonces)
  const requests: ForwardRequest[] = []
  for (const { from, to, ...call } of calls) {
    const nonce = next.get(from) ?? 0n
    next.set(from, nonce + 1n)
    const request = { ...call, from: account(from), to: account(to), deadline }
    const typed = requestToSign(chainId, pair, { ...request, nonce })
    requests.push({ ...request, signature: await walletOf(from).signTypedData(typed) })
  }
  const args = [requests, zeroAddress] as const
  const data = encodeFunctionData({ abi: forwarderAbi, functionName: 'executeBatch', args })
  const value = calls.reduce((sum, call) => sum + call.value, 0n)
  const call = { operation: 'migrate', to: pair.forwarder, data, value }
  const raw = await payer.signTransaction(await prepareTransaction({ client, wallet: payer }, call))
  return { raw, txHash: keccak256(raw), calls: calls.length }
}

/** Returns the next nonces of accounts at the forwarder. @throws `ledger/unavailable` */
export async function readNonces(
  { client, pair }: Pick<MigrationChain, 'client' | 'pair'>,
  accounts: readonly Hex[],
): Promise<ReadonlyMap<string, bigint>> {
  const read = async (it: Hex) => [it, await nonceAtForwarder(client, pair, it)] as const
  return new Map(await Promise.all([...new Set(accounts)].map(read)))
}

/** The fate of a batch: the tokens that it minted in order; `undefined` if it had no effect. */
export type BatchResult = { readonly ids: readonly TokenId[] } | undefined

/**
 * Sends a signed batch, also one that was sent before, and waits for its block.
 *
 * @throws `transaction/unconfirmed`, `ledger/unavailable`
 */
export async function sendBatch(
  chain: MigrationChain,
  { raw, txHash, calls }: SignedBatch,
): Promise<BatchResult> {
  const { client, payer } = chain
  try {
    if ((await receiptOf(client, txHash)) === undefined)
      await broadcast({ client }, { raw, txHash })
  } catch (error) {
    // Its nonce may have been taken by another transaction: then it can never be mined.
    if (!(await isReplaced(client, payer.address, raw))) throw error
    if ((await receiptOf(client, txHash)) === undefined) return undefined
  }
  return resultOf(chain.pair, await confirm(chain, txHash), calls)
}

/** Waits until a transaction is confirmed; a block may be replaced before, and its tokens renumbered. */
async function confirm(
  { client, confirmations }: MigrationChain,
  hash: Hex,
): Promise<TransactionReceipt> {
  const receipt = await waitForReceipt({ client }, { txHash: hash })
  if (confirmations === 1) return receipt
  const wait = { hash, confirmations, timeout: miningTimeout, checkReplacement: false }
  return callNode('eth_getTransactionReceipt', () => client.waitForTransactionReceipt(wait))
}

async function receiptOf(client: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  return client.getTransactionReceipt({ hash }).catch(() => undefined)
}

/** Returns whether another transaction of the wallet took the nonce of a signed one. */
async function isReplaced(client: PublicClient, address: Hex, raw: Hex): Promise<boolean> {
  const { nonce = 0 } = parseTransaction(raw)
  const count = () => client.getTransactionCount({ address })
  return (await callNode('eth_getTransactionCount', count)) > nonce
}

/** Returns the result of a mined batch; `undefined` also when only a part of it succeeded. */
function resultOf(pair: DeployedPair, receipt: TransactionReceipt, calls: number): BatchResult {
  if (receipt.status === 'reverted') return undefined
  const logsOf = (address: Hex) =>
    receipt.logs.filter((it: Log) => getAddress(it.address) === getAddress(address))
  const forwarded = { abi: forwarderAbi, logs: logsOf(pair.forwarder) } as const
  const done = parseEventLogs({ ...forwarded, eventName: 'ExecutedForwardRequest' }).filter(
    ({ args }) => args.success,
  )
  if (done.length !== calls) return undefined
  const inRegistry = { abi: memoryRegistryAbi, logs: logsOf(pair.registry) } as const
  const minted = parseEventLogs({ ...inRegistry, eventName: 'Minted' })
  return { ids: minted.map(({ args }) => tokenId(args.tokenId)) }
}
