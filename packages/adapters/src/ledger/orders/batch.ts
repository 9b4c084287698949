import { account, instant, type Order } from '@heirloom/core'
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  isHash,
  numberToHex,
  type PublicClient,
} from 'viem'
import { rejectAfter } from '../../platform/reject-after.ts'
import { memoryMarketplaceAbi as abi } from '../contracts.generated.ts'
import { readNumber } from '../view.ts'
import { encodeOrder, orderHash } from './encode-order.ts'
import { encodeSettle } from './encode-payment.ts'

// Calls that a wallet makes together (EIP-5792).

/** The wallet of an account (EIP-1193). */
type Provider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

/** An account of a wallet, and the chain that it is on. */
type Holder = {
  readonly provider: Provider
  readonly account: Hex
  readonly chainId: number
}

/** A call of a contract that sends no native money. */
export type BatchCall = { readonly to: Hex; readonly data: Hex; readonly value: '0x0' }

/** The longest wait for a wallet that says something about itself, in milliseconds. */
const patience = 3000

/** Asks a wallet something that it need not understand; `undefined` without an answer in time. */
const ask = (provider: Provider, method: string, ...params: readonly unknown[]) =>
  rejectAfter(
    patience,
    provider.request({ method, params }),
    () => new Error(`The wallet does not answer ${method}.`),
  ).catch(() => undefined)

type Capabilities = Readonly<Record<string, { readonly atomic?: { readonly status?: unknown } }>>

/**
 * Returns whether a wallet makes several calls happen together or not at all. One that would first have to
 * become another kind of account (`ready`) is not asked to.
 */
export async function offersBatches({ provider, account: by, chainId }: Holder): Promise<boolean> {
  const id = numberToHex(chainId)
  const found = (await ask(provider, 'wallet_getCapabilities', by, [id])) as
    | Capabilities
    | undefined
  return found?.[id]?.atomic?.status === 'supported'
}

/** Lets a wallet make calls that happen together or not at all, and returns its name for them. */
export async function sendCalls(
  { provider, account: from, chainId }: Holder,
  calls: readonly BatchCall[],
): Promise<string> {
  const chain = { chainId: numberToHex(chainId), from }
  const batch = { version: '2.0.0', ...chain, atomicRequired: true, calls }
  const sent = await provider.request({ method: 'wallet_sendCalls', params: [batch] })
  return String((sent as { readonly id?: unknown } | null)?.id)
}

/** The word of a wallet on its calls, which may be anything. */
export type BatchWord = { readonly txHash: Hex | undefined; readonly isFailed: boolean }

/** Reads what a wallet says of its calls: the transaction, or that they failed. */
export async function readCalls(provider: Provider, id: string): Promise<BatchWord> {
  const said = Object(await ask(provider, 'wallet_getCallsStatus', id)) as {
    readonly status?: unknown
    readonly receipts?: unknown
  }
  const receipts: readonly unknown[] = Array.isArray(said.receipts) ? said.receipts : []
  const { transactionHash } = Object(receipts.at(-1)) as { readonly transactionHash?: Hex }
  const isFailed = Number(said.status) >= 400
  const txHash = !isFailed && isHash(`${transactionHash}`) ? transactionHash : undefined
  return { txHash, isFailed }
}

type Market = {
  readonly chainId: number
  readonly pair: { readonly marketplace: Hex }
  readonly client: Pick<PublicClient, 'request'>
}

/**
 * Returns an order that ends at a deadline, in seconds since 1970, and the calls that pay exactly its price
 * at its own address and have it carried out. If only the payment happened, anybody could have the order
 * carried out, and its payer get the payment back.
 *
 * @throws `ledger/unavailable`
 */
export async function encodeBatch(
  alike: Order,
  deadline: number,
  { chainId, client, pair: { marketplace } }: Market,
): Promise<{ readonly hash: Hex; readonly calls: readonly BatchCall[] }> {
  const order = { ...alike, deadline: instant(deadline * 1000) }
  const hash = orderHash(order, { chainId, marketplace: account(marketplace) })
  const view = { address: marketplace, abi, name: 'depositOf' }
  const deposit = numberToHex(await readNumber(client, view, [hash]), { size: 20 })
  const pay = { abi: erc20Abi, functionName: 'transfer', args: [deposit, order.price] } as const
  const settle = encodeSettle({ order: encodeOrder(order) })
  const calls = [
    { to: order.asset, data: encodeFunctionData(pay), value: '0x0' },
    { to: marketplace, data: settle, value: '0x0' },
  ] as const
  return { hash, calls }
}
