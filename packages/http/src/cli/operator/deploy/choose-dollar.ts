import { knownChains } from '@heirloom/adapters/contracts'
import { Failure, type Hex } from '@heirloom/core'
import type { DeployTarget, DollarChoice, Pair } from './deployment-record.ts'

/**
 * Returns the dollar that a pair on this chain is to be bound to; `undefined` for none. It is the USDC
 * of the chain, unless another was allowed explicitly, because a pair keeps its dollar for ever.
 *
 * @throws `config/invalid`, `ledger/unavailable`
 */
export async function chooseDollar(
  { chainId, on, report }: DeployTarget,
  choice: DollarChoice,
): Promise<Hex | undefined> {
  const usdc = knownChains[chainId]?.dollar
  const address = addressOf(choice, chainId)
  if (address === undefined) return undefined
  if (!isSame(address, usdc) && !choice.anyDollar) throw unknownDollar(address, chainId)
  const { symbol, name, version } = await on.dollar(address)
  report(`The dollar is ${symbol} at ${address} (${name}, version ${version}).`)
  return address
}

/** Describes what a pair without a dollar lacks; nothing for a pair with one. */
export function describeDollarless(chainId: number, dollar: Hex | undefined): readonly string[] {
  if (dollar !== undefined) return []
  const usdc = knownChains[chainId]?.dollar
  const instead =
    usdc === undefined ? '--dollar binds it to one' : `--dollar usdc binds it to ${usdc}`
  return [`The pair will have no prices in dollars, for ever; ${instead}.`]
}

/**
 * Requires that a pair, or a deployment that is to be finished, has the chosen dollar, if one is.
 *
 * @throws `config/invalid`
 */
export function requireChosenDollar(
  { chainId }: Pick<DeployTarget, 'chainId'>,
  choice: DollarChoice,
  { marketplace, dollar }: Pick<Pair, 'marketplace'> & { readonly dollar?: Hex | undefined },
): void {
  const address = addressOf(choice, chainId)
  if (address === undefined || isSame(address, dollar)) return
  const bound = dollar === undefined ? 'has no dollar' : `is bound to the dollar ${dollar}`
  throw new Failure('config/invalid', {
    name: '--dollar',
    problem: `names ${address}, and the pair of ${marketplace} ${bound}; leave --dollar out to use this pair`,
  })
}

function addressOf({ dollar }: DollarChoice, chainId: number): Hex | undefined {
  if (dollar !== 'usdc') return dollar
  const usdc = knownChains[chainId]?.dollar
  if (usdc !== undefined) return usdc
  throw new Failure('config/invalid', {
    name: '--dollar',
    problem: `usdc is not known on chain ${chainId}; name its address, and allow it with --any-dollar`,
  })
}

function unknownDollar(address: Hex, chainId: number): Failure {
  const known = knownChains[chainId]
  const instead =
    known === undefined
      ? `no dollar is known on chain ${chainId}`
      : `the USDC of ${known.name} is ${known.dollar}`
  return new Failure('config/invalid', {
    name: '--dollar',
    problem: `names ${address}, and ${instead}; a pair keeps its dollar for ever, so check the address, and allow it with --any-dollar`,
  })
}

const isSame = (one: Hex, other: Hex | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase()
