import { account, type Dollars, Failure, type Order, orderStates } from '@heirloom/core'
import type { DepositActs, OrderRecord } from '@heirloom/testkit'
import { encodeFunctionData, erc20Abi, type Hex, type LocalAccount } from 'viem'
import { memoryMarketplaceAbi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import {
  depositAddress,
  encodeOrder,
  orderHash,
} from '../../../packages/adapters/src/ledger/orders/encode-order.ts'
import {
  encodeRefund,
  encodeSettle,
} from '../../../packages/adapters/src/ledger/orders/encode-payment.ts'
import { sendOnce } from '../../../packages/adapters/src/ledger/send-once.ts'
import { type DollarChain, dollarsOf, paidIn } from './order-payment.ts'

/** Returns the acts of a wallet for orders that are paid at an address of their own. */
export function depositActs(chain: DollarChain, wallet: LocalAccount): DepositActs {
  const { client, contracts } = chain
  const send = (operation: string, to: Hex, data: Hex) =>
    sendOnce({ client, wallet }, { operation, to, data })
  return {
    payIn: async (order, amount) => {
      const [paid, place] = [await dollarsOf(chain, wallet.address), await placeOf(chain, order)]
      if (paid < amount) throw shortOf(place.orderHash, amount, paid)
      const args = [place.deposit, amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      const { transactionHash: txHash } = await send('transfer', contracts.dollar, data)
      return { txHash }
    },
    settle: async (order) => {
      const data = encodeSettle({ order: encodeOrder(order) })
      return paidIn(await send('settle', contracts.marketplace, data))
    },
    refund: async (order) => {
      const asset = account(contracts.dollar)
      const data = encodeRefund({ order: encodeOrder(order), asset })
      const { transactionHash: txHash } = await send('refund', contracts.marketplace, data)
      return { txHash }
    },
  }
}

/** Reads the state of an order, and the dollars at its address. */
export async function readOrderRecord(chain: DollarChain, order: Order): Promise<OrderRecord> {
  const { client, contracts } = chain
  const place = await placeOf(chain, order)
  const call = { address: contracts.marketplace, abi: memoryMarketplaceAbi } as const
  const [state, balance] = await Promise.all([
    client.readContract({ ...call, functionName: 'stateOf', args: [place.orderHash] }),
    dollarsOf(chain, place.deposit),
  ])
  return { state: orderStates[state] ?? 'open', balance }
}

async function placeOf({ client, contracts }: DollarChain, order: Order) {
  const hash = orderHash(order, { chainId: await client.getChainId(), ...contracts })
  return { orderHash: hash, deposit: depositAddress(hash, contracts) }
}

const shortOf = (hash: ReturnType<typeof orderHash>, price: Dollars, paid: Dollars) =>
  new Failure('order/short', { orderHash: hash, price, paid })
