import {
  type Account,
  type Address,
  type ContractFunctionArgs,
  type Hex,
  maxUint256,
  type TransactionReceipt,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import { authorizationTypes } from '../../src/ledger/orders/payment-authorization.ts'
import { actsOn, everyOffer, type Offer, word } from './acts.ts'
import { type ContractHarness, party } from './contract-harness.ts'

type Abi = typeof memoryMarketplaceAbi

/** An order as the contract takes it. */
export type Order = ContractFunctionArgs<Abi, 'view', 'hashOf'>[0]

/** A signed transfer as the contract takes it. */
export type Authorization = ContractFunctionArgs<Abi, 'nonpayable', 'settle'>[1]

/** The numbers of the acts. */
export const act = { buy: 0, rent: 1, fork: 2, royalty: 3 } as const

/** The numbers of the states of an order. */
export const state = { open: 0, settled: 1, refunded: 2 } as const

/** In place of an authorization: what is at the deposit address must do. */
export const unsigned: Authorization = {
  payer: zeroAddress,
  value: 0n,
  validAfter: 0n,
  validBefore: 0n,
  nonce: zeroHash,
  signature: '0x',
}

/** A transfer that a payer authorizes. */
type Transfer = {
  readonly kind: keyof typeof authorizationTypes
  readonly to: Address
  readonly value: bigint
  readonly nonce: Hex
}

/** Returns the usual actions in dollars. */
export function ordersOn(harness: ContractHarness) {
  const { client, dollar, marketplace, mined } = harness
  const acts = actsOn(harness)
  let count = 0
  const depositOf = async (order: Order) =>
    marketplace.read.depositOf([await marketplace.read.hashOf([order])])
  const sign = (signer: PrivateKeyAccount, from: Address, transfer: Transfer) =>
    signer.signTypedData({
      domain: {
        name: 'Heirloom Test Dollar',
        version: '1',
        chainId: client.chain.id,
        verifyingContract: dollar.address,
      },
      types: authorizationTypes,
      primaryType: transfer.kind,
      message: { ...transfer, from, validAfter: 0n, validBefore: maxUint256 },
    })
  return {
    depositOf,
    /** Returns the dollars of an account. */
    dollarsOf: (account: { readonly address: Address } | Address): Promise<bigint> =>
      dollar.read.balanceOf([typeof account === 'string' ? account : account.address]),
    /** Gives dollars to an account. */
    give: (to: Address, amount: bigint): Promise<TransactionReceipt> =>
      mined(dollar.write.faucet([to, amount], { account: party(0) })),
    /** Mints a token and lists it in dollars. */
    listed: async (account: Account, offer: Partial<Offer> = everyOffer): Promise<bigint> => {
      const tokenId = await acts.mint(account)
      const { price = 0n, rentPerDay = 0n, forkPrice = 0n, royaltyBps = 0n } = offer
      const terms = [tokenId, price, rentPerDay, forkPrice, royaltyBps] as const
      await mined(marketplace.write.listInDollars(terms, { account }))
      return tokenId
    },
    /** Returns an order to buy, with other fields in place of its own. */
    order: (changes: Partial<Order> & Pick<Order, 'tokenId' | 'recipient'>): Order => ({
      act: act.buy,
      asset: dollar.address,
      price: everyOffer.price,
      numberOfDays: 0n,
      maxRoyaltyBps: 0n,
      refundTo: zeroAddress,
      deadline: maxUint256,
      salt: word(++count),
      ...changes,
    }),
    sign,
    /** Signs a transfer to the address of an order, as x402 `exact` does. */
    authorize: async (
      payer: PrivateKeyAccount,
      order: Order,
      { value = order.price, from = payer.address }: { value?: bigint; from?: Address } = {},
    ): Promise<Authorization> => {
      const nonce = word(++count)
      const transfer = {
        kind: 'TransferWithAuthorization',
        to: await depositOf(order),
        value,
        nonce,
      } as const
      const signature = await sign(payer, from, transfer)
      return { payer: from, value, validAfter: 0n, validBefore: maxUint256, nonce, signature }
    },
    /** Signs the payment of an order to the marketplace; returns the arguments of `payOrder`. */
    payment: async (payer: PrivateKeyAccount, order: Order, from = payer.address) => {
      const nonce = await marketplace.read.hashOf([order])
      const { address: to } = marketplace
      const transfer = { kind: 'ReceiveWithAuthorization', to, value: order.price, nonce } as const
      return [order, from, 0n, maxUint256, await sign(payer, from, transfer)] as const
    },
    /** Sends dollars to the address of an order. */
    deposit: async (from: Account, order: Order, amount = order.price) =>
      mined(dollar.write.transfer([await depositOf(order), amount], { account: from })),
    /** Returns the state of an order. */
    stateOf: async (order: Order): Promise<number> =>
      marketplace.read.stateOf([await marketplace.read.hashOf([order])]),
  }
}
