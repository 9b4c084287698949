import {
  type Account,
  type Dollars,
  Failure,
  type Hash,
  type OrderState,
  orderStates,
  sameAccount,
  type TokenId,
} from '@heirloom/core'
import { type Hex, type PublicClient, verifyTypedData } from 'viem'
import type { DeployedPair } from '../contract-pair.ts'
import { erc3009Abi, memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'
import { callNode } from '../node-call.ts'
import { dollarBalanceOf, readNumber } from '../view.ts'
import { depositAddress, type EncodedOrder, encodedOrderHash } from './encode-order.ts'
import { authorizationTypes, type DollarDomain } from './payment-authorization.ts'

/** An order, as the newest block has it. */
export type OrderView = {
  readonly orderHash: Hash
  /** The address that it is paid to. */
  readonly deposit: Account
  readonly state: OrderState
  /** The dollars at that address. */
  readonly balance: Dollars
  /** Whether it may be carried out: it is open, in time, and its terms are those of the listing. */
  readonly isOpen: boolean
}

/** The relation of an account to a token, as the newest block has it. Times are in seconds since 1970. */
export type Standing = {
  readonly isOwner: boolean
  /** Grows with each transfer of the token. */
  readonly transferCount: bigint
  /** The end of the account's rental; 0 if it never rented. */
  readonly expiresAt: bigint
  /** The time of the block. */
  readonly asOf: bigint
}

/** A transfer that a holder of dollars signed (EIP-3009). */
export type Authorization = {
  readonly payer: Account
  readonly to: Account
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
  readonly signature: Hex
}

/** Reads orders from the chain. All may fail with `ledger/unavailable`. */
export type OrderReads = {
  /** Returns the hash and the address of an order, without a call. */
  locate(order: EncodedOrder): Pick<OrderView, 'orderHash' | 'deposit'>
  look(order: EncodedOrder): Promise<OrderView>
  /** Returns the dollars at the address of an order. */
  paidTo(order: EncodedOrder): Promise<Dollars>
  /** @throws `token/not-found` */
  standing(tokenId: TokenId, account: Account): Promise<Standing>
  /** Returns whether an authorization is spent or cancelled, and the dollars of its payer. */
  funds(
    authorization: Pick<Authorization, 'payer' | 'nonce'>,
  ): Promise<{ readonly isSpent: boolean; readonly balance: Dollars }>
  /**
   * Returns whether the key of the payer signed an authorization. `undefined` where only the contract
   * at that account can tell.
   */
  isSigned(authorization: Authorization, domain: DollarDomain): Promise<boolean | undefined>
}

export declare namespace openOrderReads {
  type Parts = {
    readonly client: PublicClient
    readonly chainId: number
    readonly contracts: Omit<DeployedPair, 'dollar'> & { readonly dollar: Hex }
  }
}

/** Opens the reads of the orders of a pair. */
export function openOrderReads(parts: openOrderReads.Parts): OrderReads {
  const { client } = parts
  const dollar = dollarReads(parts)
  const locate = (order: EncodedOrder) => {
    const orderHash = encodedOrderHash(order, { ...parts, ...parts.contracts })
    return { orderHash, deposit: depositAddress(orderHash, parts.contracts) }
  }
  return {
    locate,
    look: async (order) => {
      const place = locate(order)
      const [balance, rest] = await Promise.all([
        dollar.balanceOf(place.deposit),
        readOrder(parts, order, place.orderHash),
      ])
      return { ...place, balance, ...rest }
    },
    paidTo: (order) => dollar.balanceOf(locate(order).deposit),
    standing: (tokenId, account) => readStanding(parts, { tokenId, account }),
    funds: async ({ payer, nonce }) => {
      const [isSpent, balance] = await Promise.all([
        dollar.isSpent(payer, nonce),
        dollar.balanceOf(payer),
      ])
      return { isSpent, balance }
    },
    isSigned: async (authorization, domain) => {
      if (await isSignedByKey(authorization, domain)) return true
      const { payer: address } = authorization
      const code = await callNode('eth_getCode', () => client.getCode({ address }))
      return code === undefined ? false : undefined
    },
  }
}

function dollarReads({ client, contracts: { dollar: address } }: openOrderReads.Parts) {
  const state = { address, abi: erc3009Abi, name: 'authorizationState' }
  return {
    balanceOf: (holder: Hex): Promise<Dollars> => dollarBalanceOf(client, address, holder),
    isSpent: async (payer: Hex, nonce: Hex): Promise<boolean> =>
      (await readNumber(client, state, [payer, nonce])) !== 0n,
  }
}

const marketOf = ({ contracts: { marketplace: address } }: openOrderReads.Parts) =>
  ({ address, abi: memoryMarketplaceAbi }) as const

async function readOrder(
  parts: openOrderReads.Parts,
  order: EncodedOrder,
  orderHash: Hash,
): Promise<Pick<OrderView, 'state' | 'isOpen'>> {
  const { client } = parts
  const market = marketOf(parts)
  const [state, isOpen] = await callNode('isOpen', () =>
    Promise.all([
      client.readContract({ ...market, functionName: 'stateOf', args: [orderHash] }),
      client.readContract({ ...market, functionName: 'isOpen', args: [order] }),
    ]),
  )
  return { state: orderStates[state] ?? 'settled', isOpen }
}

async function readStanding(
  parts: openOrderReads.Parts,
  { tokenId, account }: { readonly tokenId: TokenId; readonly account: Account },
): Promise<Standing> {
  const { client, contracts } = parts
  const registry = { address: contracts.registry, abi: memoryRegistryAbi } as const
  const access = await callNode('accessOf', () =>
    client.readContract({
      ...marketOf(parts),
      functionName: 'accessOf',
      args: [tokenId, account],
    }),
  )
  const [owner, , expiresAt, , , , asOf] = access
  if (BigInt(owner) === 0n) throw new Failure('token/not-found', { tokenId })
  const [, transferCount] = await callNode('holdingOf', () =>
    client.readContract({ ...registry, functionName: 'holdingOf', args: [tokenId] }),
  )
  return { isOwner: sameAccount(owner as Account, account), transferCount, expiresAt, asOf }
}

function isSignedByKey(
  { payer: from, signature, ...transfer }: Authorization,
  { address: verifyingContract, chainId, name, version }: DollarDomain,
): Promise<boolean> {
  const signed = verifyTypedData({
    address: from,
    domain: { name, version, chainId, verifyingContract },
    types: { TransferWithAuthorization: authorizationTypes.TransferWithAuthorization },
    primaryType: 'TransferWithAuthorization',
    message: { from, ...transfer },
    signature,
  })
  // What is no signature at all fails there.
  return signed.catch(() => false)
}
