import { account, orderStates } from '@heirloom/core'
import {
  type Abi,
  BaseError,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import type { EncodedOrder } from '../../../packages/adapters/src/ledger/orders/encode-order.ts'
import { encodeSettle } from '../../../packages/adapters/src/ledger/orders/encode-payment.ts'
import { revertData } from '../../../packages/adapters/src/ledger/revert.ts'
import { sendOnce } from '../../../packages/adapters/src/ledger/send-once.ts'
import { ada, type DollarRelay, eve, seller } from '../chain/dollar-relay.ts'
import { accountNames, type ModelOrder, type Name, type Result } from './dollar-model.ts'

const wallets: Readonly<Record<Name, PrivateKeyAccount>> = {
  creator: seller,
  owner: eve,
  payer: ada,
}

const errors = parseAbi(['error Blocked()'])
const abi: Abi = [...memoryMarketplaceAbi, ...memoryRegistryAbi, ...errors]

const secondsOfDay = 86_400n

/** A token whose creator has a claim of a tenth, on a chain with a dollar that refuses accounts. */
export async function openDollarToken(chain: DollarRelay) {
  const { client, contracts, dollar } = chain
  const send = async (by: Name, to: Hex, data: Hex): Promise<Result> => {
    const wallet = wallets[by]
    const call = { account: wallet.address, to, data }
    const problem = await client.call(call).then(() => undefined, nameOf)
    if (problem !== undefined) return problem
    await sendOnce({ client, wallet }, { operation: 'test', to, data })
    return 'success'
  }
  const encode = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi, functionName, args } as never)
  const onMarket = (by: Name, functionName: string, args: readonly unknown[]) =>
    send(by, contracts.marketplace, encode(functionName, args))
  const tokenId = await forkedToken(chain, onMarket)
  const orders = new Map<number, EncodedOrder>()
  const orderOf = (id: number, order: ModelOrder): EncodedOrder => {
    const known = orders.get(id) ?? encodeOrderOf(chain, tokenId, order)
    orders.set(id, known)
    return known
  }
  return {
    orderOf,
    onMarket,
    tokenId,
    list: (by: Name, { perDay, inDollars }: { perDay: bigint; inDollars: boolean }) =>
      onMarket(by, inDollars ? 'listInDollars' : 'list', [tokenId, 0n, perDay, 0n, 0n]),
    listMany: (by: Name, all: readonly { perDay: bigint; inDollars: boolean }[]) => {
      const free = { price: 0n, forkPrice: 0n, royaltyBps: 0n }
      const offers = all.map(({ perDay, inDollars }) => ({
        tokenId,
        ...free,
        rentPerDay: perDay,
        inDollars,
      }))
      return onMarket(by, 'listMany', [offers])
    },
    payOrder: async (id: number, order: ModelOrder) => {
      const paid = await chain.payment(orderOf(id, order))
      const { payer, validAfter, validBefore, signature } = paid
      return onMarket('creator', 'payOrder', [
        paid.order,
        payer,
        validAfter,
        validBefore,
        signature,
      ])
    },
    deposit: async (by: Name, id: number, order: ModelOrder, amount: bigint) => {
      const { deposit } = await chain.placeOf(orderOf(id, order))
      const transfer = parseAbi(['function transfer(address, uint256) returns (bool)'])
      const data = encodeFunctionData({ abi: transfer, args: [deposit, amount] })
      return send(by, dollar.address, data)
    },
    settle: (id: number, order: ModelOrder) =>
      send('creator', contracts.marketplace, encodeSettle({ order: orderOf(id, order) })),
    refund: (by: Name, id: number, order: ModelOrder) =>
      onMarket(by, 'refund', [orderOf(id, order), dollar.address]),
    withdraw: (by: Name, to: Name) => onMarket(by, 'withdrawDollars', [wallets[to].address]),
    block: async (name: Name, isBlocked: boolean): Promise<Result> => {
      await dollar.send('blockAccount', [wallets[name].address, isBlocked])
      return 'success'
    },
    observe: async (ids: readonly number[]) => observe(chain, { tokenId, orders, ids }),
  }
}

export type DollarToken = Awaited<ReturnType<typeof openDollarToken>>

type Send = (by: Name, functionName: string, args: readonly unknown[]) => Promise<Result>

/** Lets the owner fork a token of the creator, who has a claim of a tenth on its prices. */
async function forkedToken(chain: DollarRelay, onMarket: Send): Promise<bigint> {
  const parent = await chain.listed()
  await onMarket('creator', 'list', [parent, 0n, 0n, 1n, 1000n])
  const data = encodeFunctionData({
    abi: memoryMarketplaceAbi,
    functionName: 'fork',
    args: [parent, eve.address, 10_000n],
  })
  const call = { operation: 'test', to: chain.contracts.marketplace, data, value: 1n }
  await sendOnce({ client: chain.client, wallet: eve }, call)
  return chain.client.readContract({
    address: chain.contracts.registry,
    abi: memoryRegistryAbi,
    functionName: 'totalSupply',
  })
}

function encodeOrderOf(chain: DollarRelay, tokenId: bigint, order: ModelOrder): EncodedOrder {
  const { kind, price, refundTo, isLate } = order
  return chain.orderOf(tokenId, {
    act: kind === 'rent' ? 1 : 3,
    price,
    numberOfDays: kind === 'rent' ? 1n : 0n,
    refundTo: account(wallets[refundTo].address),
    deadline: isLate ? 1n : 2n ** 64n,
  })
}

function nameOf(error: unknown): Result {
  const data = revertData(error)
  if (data === undefined || data === '0x') return 'refused'
  try {
    const { errorName } = decodeErrorResult({ abi, data })
    return errorName
  } catch {
    if (!(error instanceof BaseError)) throw error
    return 'refused'
  }
}

type Observed = {
  readonly tokenId: bigint
  readonly orders: ReadonlyMap<number, EncodedOrder>
  readonly ids: readonly number[]
}

async function observe(
  { client, contracts, dollar, placeOf, stateOf }: DollarRelay,
  { tokenId, orders, ids }: Observed,
) {
  const market = { address: contracts.marketplace, abi: memoryMarketplaceAbi } as const
  const addresses = accountNames.map((name) => wallets[name].address)
  const expiry = await client.readContract({
    ...market,
    functionName: 'rentalExpiry',
    args: [tokenId, wallets.payer.address],
  })
  const { timestamp } = await client.getBlock()
  const left = expiry > timestamp ? expiry - timestamp : 0n
  return {
    held: await Promise.all(addresses.map((it) => dollar.balanceOf(it))),
    credit: await Promise.all(
      addresses.map((it) =>
        client.readContract({ ...market, functionName: 'dollarCreditOf', args: [it] }),
      ),
    ),
    orders: await Promise.all(
      ids.map(async (id) => {
        const order = orders.get(id)
        if (order === undefined) throw new Error(`Nobody made the order ${id}.`)
        const { hash, deposit } = await placeOf(order)
        const state = orderStates[await stateOf(hash)]
        return [id, state, await dollar.balanceOf(deposit)]
      }),
    ),
    // A rental of some days begins a few seconds before its end is read.
    days: Number((left + secondsOfDay - 1n) / secondsOfDay),
  }
}
