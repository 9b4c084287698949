import {
  type Account,
  dollars,
  instant,
  type Order,
  orderActs,
  tokenId as readTokenId,
} from '@heirloom/core'
import { type Abi, type Address, type Hex, keccak256, maxUint256, toHex } from 'viem'
import { compileSolidity } from '../../../packages/adapters/contracts/solidity.ts'
import {
  encodeOrder,
  orderHash,
} from '../../../packages/adapters/src/ledger/orders/encode-order.ts'
import { paymentAuthorization } from '../../../packages/adapters/src/ledger/orders/payment-authorization.ts'
import { publicAccount } from '../copier.ts'
import type { Market, MarketAct } from './acts.ts'

/** A dollar that can block an account, so that payments to it are credited. */
export function awkwardDollar() {
  const { AwkwardDollar } = compileSolidity(['test/dollars/AwkwardDollar.sol'])
  if (AwkwardDollar === undefined) throw new Error('There is no AwkwardDollar.')
  return AwkwardDollar
}

const plenty = 10n ** 18n

type DollarCall = {
  readonly to: Address
  readonly abi: Abi
  readonly functionName: string
  readonly args: readonly unknown[]
}

type Recipients = {
  readonly dollar: Address
  readonly holders: readonly Address[]
  readonly blocked: Address
}

/** Gives dollars to accounts, and blocks the one that refuses payments. */
export async function handOut(
  send: (from: Address, call: DollarCall) => Promise<void>,
  { dollar, holders, blocked }: Recipients,
): Promise<void> {
  const { abi } = awkwardDollar()
  const from = holders[0] ?? dollar
  for (const holder of holders)
    await send(from, { to: dollar, abi, functionName: 'faucet', args: [holder, plenty] })
  await send(from, { to: dollar, abi, functionName: 'blockAccount', args: [blocked, true] })
}

/** Pays an order of a token on its present terms; one that does not fit any more is reverted. */
export async function payOrder(market: Market, act: MarketAct, tokenId: bigint): Promise<void> {
  const { at, client, parties, send } = market
  const [first, , third, fourth] = act.numbers
  const listing = { ...at.marketplace, functionName: 'listingOf', args: [tokenId] } as const
  const [, price, rentPerDay, forkPrice] = await client.readContract(listing)
  const kind = orderActs[fourth % 4] ?? 'buy'
  const days = kind === 'rent' ? 1 + (third % 3) : 0
  const prices = { buy: price, rent: rentPerDay * BigInt(days), fork: forkPrice }
  const order: Order = {
    act: kind,
    tokenId: readTokenId(tokenId),
    asset: market.dollar as Account,
    days,
    price: dollars(kind === 'royalty' ? BigInt(1 + (first % 1000)) : prices[kind]),
    recipient: parties[third % 4] as Account,
    maxRoyaltyBps: kind === 'fork' ? 10_000 : 0,
    refundTo: undefined,
    deadline: instant(4_000_000_000_000),
    salt: keccak256(toHex(`${act.numbers}`)),
  }
  if (order.price === 0n) return
  const payer = publicAccount(first % 3)
  const args = [encodeOrder(order), payer.address, 0n, maxUint256, await sign(market, order, first)]
  const { address: to, abi } = at.marketplace
  await send(payer.address, { to, abi, functionName: 'payOrder', args })
}

async function sign(market: Market, order: Order, payer: number): Promise<Hex> {
  const { dollar, at, client } = market
  const chainId = await client.getChainId()
  const { address: marketplace } = at.marketplace
  const wallet = publicAccount(payer % 3)
  return wallet.signTypedData(
    paymentAuthorization({
      dollar: { name: 'Heirloom Test Dollar', version: '1', chainId, address: dollar },
      marketplace,
      payer: wallet.address as Account,
      price: order.price,
      orderHash: orderHash(order, { chainId, marketplace }),
      validBefore: maxUint256,
    }),
  )
}
