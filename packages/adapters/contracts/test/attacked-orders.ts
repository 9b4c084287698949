import type { Hex } from 'viem'
import { compileSolidity } from '../solidity.ts'
import { openContractHarness, party } from './contract-harness.ts'
import { type Order, ordersOn, unsigned } from './orders.ts'

/** The parties of an order: the seller, who pays, who gets the token, an attacker, who gets refunds. */
export const [creator, payer, friend] = [party(1), party(2), party(3)]
export const [stranger, refundee] = [party(4), party(5)]

const hostile = compileSolidity(['test/dollars/AwkwardDollar.sol'])
const wallets = compileSolidity(['test/wallets/ContractWallet.sol'])

/** Contracts, and the acts of those who attack orders. */
export type AttackedOrders = Awaited<ReturnType<typeof openAttackedOrders>>

/** Opens contracts on which a payer and an attacker have dollars. */
export async function openAttackedOrders() {
  const harness = await openContractHarness()
  const orders = ordersOn(harness)
  for (const { address } of [payer, stranger]) await orders.give(address, 10_000_000n)
  return {
    harness,
    orders,
    /** Returns an order to buy a new token. */
    newOrder: async (changes: Partial<Order> = {}): Promise<Order> => {
      const tokenId = await orders.listed(creator)
      const named = { tokenId, recipient: friend.address, refundTo: refundee.address }
      return orders.order({ ...named, ...changes })
    },
    settle: (order: Order, authorization = unsigned) =>
      harness.marketplace.write.settle([order, authorization], { account: stranger }),
    refund: (order: Order, asset: Hex, account = stranger) =>
      harness.marketplace.write.refund([order, asset], { account }),
    ownerOf: ({ tokenId }: Order) => harness.registry.read.ownerOf([tokenId]),
    /** Deploys a contract of the attackers. */
    deployHostile: (name: string, args: readonly unknown[] = []): Promise<Hex> => {
      const artifact = { ...hostile, ...wallets }[name]
      if (!artifact) throw new Error(`There is no ${name}.`)
      return harness.deploy(artifact, args)
    },
  }
}
