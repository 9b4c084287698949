import { nobody } from '@heirloom/core'
import { type Abi, decodeFunctionData, type Hex, keccak256, slice, toFunctionSelector } from 'viem'
import { gasOfDearestPurchase, gasOfPurchase } from '../../platform/gas-of-purchase.ts'
import { type Chain, connect } from '../connection.ts'
import type { DeployedPair } from '../contract-pair.ts'
import {
  creation,
  forwarderAbi,
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../contracts.generated.ts'
import { gasOfSigned } from '../relay/gas-limit.ts'
import { readPurchase } from './read-purchase.ts'

type Execution = { readonly to: string | undefined; readonly data: string }

/** The code of strangers that an execution may run: that of some accounts, or any; and its most gas. */
type ForeignCode = {
  readonly of?: readonly string[]
  readonly gas?: bigint
  readonly isSigned?: true
  readonly mostGas?: bigint
  /** Reads them from the newest state, on which they depend. */
  readonly read?: (chain: Chain) => Promise<Pick<ForeignCode, 'of' | 'gas'>>
}

type Pair = Pick<DeployedPair, 'registry' | 'marketplace'> & Partial<DeployedPair>

/** Finds the code of strangers in a call of a function, from its arguments. */
type Finder = (args: readonly unknown[], pair: Pair) => ForeignCode | undefined

type Order = { readonly recipient: Hex; readonly refundTo: Hex }

/** Sellers and creators get up to 100,000 gas each. */
const receivers: Finder = ([id], pair) => ({
  gas: gasOfPurchase,
  mostGas: gasOfDearestPurchase,
  read: (chain) => readPurchase(connect(chain), pair, BigInt(String(id))),
})
const signer = (account: unknown, act: keyof typeof gasOfSigned): ForeignCode => ({
  of: [String(account)],
  gas: gasOfSigned[act],
  isSigned: true,
})

const inRegistry: Readonly<Record<string, Finder>> = {
  safeTransferFrom: ([, to]) => ({ of: [String(to)] }),
}

const inMarketplace: Readonly<Record<string, Finder>> = {
  buy: receivers,
  rent: receivers,
  fork: receivers,
  payRoyalty: receivers,
  withdraw: ([to]) => ({ of: [String(to)] }),
  withdrawFor: ([account]) => ({ of: [String(account)] }),
  payOrder: ([, payer]) => signer(payer, 'payOrder'),
  settle: ([, authorization]) => signer((authorization as { readonly payer: Hex }).payer, 'settle'),
  refund: ([order, asset], { dollar }) => {
    if (isSame(asset, dollar)) return undefined
    const { refundTo, recipient } = order as Order
    return isSame(asset, nobody) ? { of: [refundTo === nobody ? recipient : refundTo] } : {}
  },
}

type Request = { readonly from: Hex; readonly to: Hex; readonly data: Hex }

const inForwarder: Readonly<Record<string, Finder>> = {
  verify: ([request]) => signer((request as Request).from, 'forward'),
  executeBatch: () => ({}),
  execute: ([request], pair) => {
    const { from, ...call } = request as Request
    const called = findForeignCode(pair, call)
    if (called === undefined) return signer(from, 'forward')
    if (called.of === undefined) return {}
    return { ...signer(from, 'forward'), of: [from, ...called.of] }
  },
}

/** The functions of a test dollar that ask an account for its signature; its address comes first. */
const signedTransfers = [
  ...['transferWithAuthorization', 'receiveWithAuthorization'].flatMap((name) => {
    const fields = 'address,address,uint256,uint256,uint256,bytes32'
    return [`${name}(${fields},uint8,bytes32,bytes32)`, `${name}(${fields},bytes)`]
  }),
  'cancelAuthorization(address,bytes32,bytes)',
]
const signedSelectors = new Set(signedTransfers.map((it) => toFunctionSelector(it)))

/**
 * Returns a function that finds the code of strangers in an execution: that of an account which signs or
 * receives, or any. Returns `undefined` for what runs only this project's code, whose loops are bounded.
 * Without a pair all code is this project's, which deploys it.
 */
export const foreignCodeOf =
  (pair: () => Pair | undefined) =>
  (execution: Execution): ForeignCode | undefined => {
    const known = pair()
    return known && findForeignCode(known, execution)
  }

/** Returns the code of strangers that an execution may run; `undefined` where it runs only own code. */
export function findForeignCode(pair: Pair, { to, data }: Execution): ForeignCode | undefined {
  if (to === undefined) return createsPair(data.toLowerCase()) ? undefined : {}
  if (isSame(to, pair.registry)) return findIn(registry, data, pair)
  if (isSame(to, pair.marketplace)) return findIn(marketplace, data, pair)
  if (isSame(to, pair.forwarder)) return findIn(forwarder, data, pair)
  return isSame(to, pair.dollar) ? findInDollar(data) : { of: [to] }
}

const isSame = (one: unknown, other: string | undefined): boolean =>
  String(one).toLowerCase() === other?.toLowerCase()

type Contract = { readonly abi: Abi; readonly finders: ReadonlyMap<string, Finder> }

const contract = (abi: Abi, finders: Readonly<Record<string, Finder>>): Contract => {
  const found = abi.flatMap((it) => {
    const finder = it.type === 'function' ? finders[it.name] : undefined
    return finder === undefined ? [] : [[toFunctionSelector(it as never), finder] as const]
  })
  return { abi, finders: new Map(found) }
}
const registry = contract(memoryRegistryAbi, inRegistry)
const marketplace = contract(memoryMarketplaceAbi, inMarketplace)
const forwarder = contract(forwarderAbi, inForwarder)

function findIn({ abi, finders }: Contract, data: string, pair: Pair): ForeignCode | undefined {
  const finder = finders.get(selectorOf(data))
  if (finder === undefined) return undefined
  try {
    return finder(decodeFunctionData({ abi, data: data as Hex }).args ?? [], pair)
  } catch {
    return {}
  }
}

function findInDollar(data: string): ForeignCode | undefined {
  if (!signedSelectors.has(selectorOf(data) as Hex)) return undefined
  return data.length < 74 ? {} : { of: [slice(data as Hex, 16, 36)] }
}

const selectorOf = (data: string): string => data.slice(0, 10).toLowerCase()

/** Returns whether a creation is the deployment of a pair, bound to any dollar. */
function createsPair(bytes: string): boolean {
  const end = 2 + 2 * creation.length
  return bytes.length === end + 64 && keccak256(bytes.slice(0, end) as Hex) === creation.hash
}
