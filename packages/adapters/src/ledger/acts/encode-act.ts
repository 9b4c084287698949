import { heirDays, nobody, rentalDays, royaltyShare, type Terms } from '@heirloom/core'
import { encodeFunctionData, type Hex } from 'viem'
import type { ContractPair } from '../contract-pair.ts'
import {
  memoryMarketplaceAbi as market,
  memoryRegistryAbi as registryAbi,
} from '../contracts.generated.ts'
import { encodeList } from '../encode-list.ts'
import { encodeMint, type MintItem } from '../nonce-lane/job.ts'
import { encodePayOrder, type OrderPayment } from '../orders/encode-payment.ts'

type OfToken = { readonly tokenId: bigint }
type OfAccount = { readonly account: Hex }

/** The arrangement of an account for its tokens; without an heir, that it ends. */
export type Inheritance =
  | { readonly heir: Hex; readonly silenceDays: number; readonly noticeDays: number }
  | { readonly heir: undefined }

/** An act of an account on a contract pair. Amounts are in wei, except prices in dollars. */
export type Act =
  | ({ readonly kind: 'mint' } & MintItem)
  | (OfToken & {
      readonly kind: 'list'
    } & Terms)
  | (OfToken & { readonly kind: 'buy'; readonly recipient: Hex; readonly price: bigint })
  | (OfToken & {
      readonly kind: 'rent'
      readonly recipient: Hex
      readonly days: number
      readonly price: bigint
    })
  | (OfToken & {
      readonly kind: 'fork'
      readonly recipient: Hex
      readonly maxRoyaltyBps: number
      readonly price: bigint
    })
  | (OfToken & { readonly kind: 'payRoyalty'; readonly amount: bigint })
  | (OfToken & { readonly kind: 'transfer'; readonly from: Hex; readonly to: Hex })
  | { readonly kind: 'withdraw'; readonly to: Hex }
  | ({ readonly kind: 'nameHeir' } & Inheritance)
  | { readonly kind: 'heartbeat' }
  | (OfAccount & { readonly kind: 'announceTakeover' })
  | (OfAccount & { readonly kind: 'takeOver'; readonly tokenIds: readonly bigint[] })
  | (OfAccount & { readonly kind: 'takeOverCredit' })
  | { readonly kind: 'withdrawDollars'; readonly to: Hex }
  | ({ readonly kind: 'payOrder' } & OrderPayment)

/** The kind of an act. */
export type ActKind = Act['kind']

/** The call of a contract that performs an act, and its payment in wei. */
export type ActCall = {
  readonly operation: ActKind
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
}

/**
 * Returns the call that performs an act on a contract pair.
 *
 * @throws `rental/bad-duration`, `royalty/bad-share`, `heir/bad-delay`; for a listing in dollars also
 * `listing/price-too-high` and `listing/two-currencies`
 */
export function encodeAct({ registry, marketplace }: ContractPair, act: Act): ActCall {
  const to = actsOfRegistry.has(act.kind) ? registry : marketplace
  return { operation: act.kind, to, data: dataOf(act), value: paymentOf(act) }
}

const actsOfRegistry: ReadonlySet<ActKind> = new Set([
  ...(['mint', 'transfer'] as const),
  ...(['nameHeir', 'heartbeat', 'announceTakeover', 'takeOver'] as const),
])

function paymentOf(act: Act): bigint {
  if (act.kind === 'payRoyalty') return act.amount
  return act.kind === 'buy' || act.kind === 'rent' || act.kind === 'fork' ? act.price : 0n
}

type Encoders = { readonly [kind in ActKind]: (act: Extract<Act, { kind: kind }>) => Hex }

/**
 * The call of each act. For a function of the contracts, `logs-of-act.ts` has the event that proves it,
 * `known-acts.ts` the least gas it takes and `own-code.ts` whose code it may call.
 */
const encoders: Encoders = {
  mint: encodeMint,
  list: ({ tokenId, ...terms }) => encodeList(tokenId, terms),
  buy: ({ tokenId, recipient }) => {
    const args = [tokenId, recipient] as const
    return encodeFunctionData({ abi: market, functionName: 'buy', args })
  },
  rent: ({ tokenId, recipient, days }) => {
    const args = [tokenId, recipient, BigInt(rentalDays(days))] as const
    return encodeFunctionData({ abi: market, functionName: 'rent', args })
  },
  fork: ({ tokenId, recipient, maxRoyaltyBps }) => {
    const args = [tokenId, recipient, BigInt(royaltyShare(maxRoyaltyBps))] as const
    return encodeFunctionData({ abi: market, functionName: 'fork', args })
  },
  payRoyalty: ({ tokenId }) =>
    encodeFunctionData({ abi: market, functionName: 'payRoyalty', args: [tokenId] }),
  // The safe transfer refuses a contract that could not move the token on.
  transfer: ({ tokenId, from, to }) => {
    const args = [from, to, tokenId] as const
    return encodeFunctionData({ abi: registryAbi, functionName: 'safeTransferFrom', args })
  },
  withdraw: ({ to }) => encodeFunctionData({ abi: market, functionName: 'withdraw', args: [to] }),
  nameHeir: (inheritance) => {
    const args = argsOf(inheritance)
    return encodeFunctionData({ abi: registryAbi, functionName: 'nameHeir', args })
  },
  heartbeat: () => encodeFunctionData({ abi: registryAbi, functionName: 'heartbeat' }),
  announceTakeover: ({ account }) =>
    encodeFunctionData({ abi: registryAbi, functionName: 'announceTakeover', args: [account] }),
  takeOver: ({ account, tokenIds }) => {
    const args = [account, tokenIds] as const
    return encodeFunctionData({ abi: registryAbi, functionName: 'takeOver', args })
  },
  takeOverCredit: ({ account }) =>
    encodeFunctionData({ abi: market, functionName: 'takeOverCredit', args: [account] }),
  withdrawDollars: ({ to }) =>
    encodeFunctionData({ abi: market, functionName: 'withdrawDollars', args: [to] }),
  payOrder: encodePayOrder,
}

function argsOf(it: Inheritance): readonly [Hex, bigint, bigint] {
  if (it.heir === undefined) return [nobody, 0n, 0n]
  return [it.heir, BigInt(heirDays(it.silenceDays)), BigInt(heirDays(it.noticeDays))]
}

function dataOf<kind extends ActKind>(act: Extract<Act, { kind: kind }>): Hex {
  const encode: (act: Extract<Act, { kind: kind }>) => Hex = encoders[act.kind as kind]
  return encode(act)
}
