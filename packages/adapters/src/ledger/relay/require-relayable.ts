import { type Account, account, Failure, nobody, sameAccount } from '@heirloom/core'
import { type Hex, size, toFunctionSelector } from 'viem'
import type { DeployedPair } from '../contract-pair.ts'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'
import type { EncodedOrder } from '../orders/encode-order.ts'
import type { ForwardRequest } from './forward-request.ts'
import { longestDeadline } from './gas-limit.ts'

/** The rules of what a relay sends. */
export type RelayRules = {
  /** The most gas that a call may ask for. */
  readonly gas: bigint
  /** The lowest price of an order, in the smallest unit of the dollar. */
  readonly leastOrder: bigint
}

/** The longest call data and signature, in bytes. */
const longest = { data: 16_384, signature: 8_192 }

type Options = {
  readonly contracts: DeployedPair
  readonly agent: Account
  readonly rules: RelayRules
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Returns the name of the act that a request asks for, and requires that it is relayed.
 *
 * @throws `relay/not-allowed`
 */
export function requireAct(
  { to, value, data }: Pick<ForwardRequest, 'to' | 'value' | 'data'>,
  contracts: DeployedPair,
): string {
  if (value !== 0n) throw refused('it sends native money, and only calls without any are relayed')
  const contract = contractAt(contracts, to)
  if (contract === undefined) throw refused(`it calls ${to}, which is not one of the two contracts`)
  const act = relayedAct(contract, data)
  if (act === undefined) throw refused(`the function ${data.slice(0, 10)} is not relayed`)
  return act
}

/**
 * Requires that a request may be relayed now.
 *
 * @throws `relay/not-allowed`, `relay/bad-deadline`, `relay/too-much-gas`
 */
export function requireRelayable(request: ForwardRequest, options: Options): void {
  const { contracts, agent, rules, now } = options
  const { from, gas, deadline, data, signature } = request
  requireAct(request, contracts)
  // Such a request would let its sender mint in the name of the agent.
  if (sameAccount(from, agent)) throw refused('the agent wallet acts by itself')
  if (size(data) > longest.data || size(signature) > longest.signature) {
    throw refused('its data or its signature is too long')
  }
  if (gas > rules.gas) {
    throw new Failure('relay/too-much-gas', { gas: `${gas}`, limit: `${rules.gas}` })
  }
  requireDeadline(deadline, Math.floor(now / 1000))
}

function requireDeadline(deadline: number, now: number): void {
  if (deadline >= now && deadline <= now + longestDeadline) return
  throw new Failure('relay/bad-deadline', { deadline, longest: longestDeadline })
}

const refused = (problem: string) => new Failure('relay/not-allowed', { problem })

function contractAt(contracts: DeployedPair, address: string): RelayedContract | undefined {
  const names = ['registry', 'marketplace'] as const
  return names.find((name) => contracts[name].toLowerCase() === address.toLowerCase())
}

/**
 * The functions of each contract that are relayed: those that give nobody a right over what the signer
 * owns, but for the one token or the credit that the call names. An approval and `listMany` are not among
 * them, since a wallet shows the data of a forward request as mere bytes.
 */
const relayed = {
  registry: [
    ...['mint', 'mintBatch', 'mintDescribed', 'transferFrom', 'safeTransferFrom'],
    ...['nameHeir', 'heartbeat', 'announceTakeover', 'takeOver'],
  ],
  marketplace: ['list', 'listInDollars', 'withdraw', 'withdrawDollars', 'takeOverCredit'],
} as const

/** A contract that relayed calls may go to. */
type RelayedContract = keyof typeof relayed

const abis = { registry: memoryRegistryAbi, marketplace: memoryMarketplaceAbi } as const

/** The number of parameters of `safeTransferFrom` without data for the recipient. */
const plainTransfer = 3

const selectors: Readonly<Record<RelayedContract, ReadonlyMap<string, string>>> = {
  registry: selectorsOf('registry'),
  marketplace: selectorsOf('marketplace'),
}

/** Returns the name of the relayed function that call data calls; `undefined` for any other. */
const relayedAct = (contract: RelayedContract, data: Hex): string | undefined =>
  selectors[contract].get(data.slice(0, 10).toLowerCase())

function selectorsOf(contract: RelayedContract): ReadonlyMap<string, string> {
  const names: readonly string[] = relayed[contract]
  return new Map(
    abis[contract].flatMap((it) => {
      if (it.type !== 'function' || !names.includes(it.name)) return []
      if (it.name === 'safeTransferFrom' && it.inputs.length !== plainTransfer) return []
      return [[toFunctionSelector(it), it.name] as const]
    }),
  )
}

/**
 * Requires that an order costs enough to be worth its gas.
 *
 * @throws `relay/underpriced`
 */
export function requirePrice({ price }: Pick<EncodedOrder, 'price'>, least: bigint): void {
  if (price < least)
    throw new Failure('relay/underpriced', { price: `${price}`, least: `${least}` })
}

/**
 * Requires that an order names an account that can get a refund or a surplus: its `refundTo`, or
 * without one its recipient. What goes to a contract of the pair, or to nobody, is lost.
 *
 * @throws `recipient/invalid`
 */
export function requireRefundee(
  { recipient, refundTo }: Pick<EncodedOrder, 'recipient' | 'refundTo'>,
  { registry, marketplace, forwarder, depositCode, dollar }: DeployedPair,
): void {
  const refundee = sameAccount(refundTo, nobody) ? recipient : refundTo
  const lost = [nobody, registry, marketplace, forwarder, depositCode, dollar]
  if (lost.every((it) => it === undefined || !sameAccount(account(it), refundee))) return
  throw new Failure('recipient/invalid', { recipient: refundee })
}
