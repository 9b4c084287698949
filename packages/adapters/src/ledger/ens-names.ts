import { type Account, account } from '@heirloom/core'
import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type PublicClient,
  parseAbi,
  zeroAddress,
} from 'viem'
import { lruCache } from '../platform/lru-cache.ts'
import { callContract } from './call-contract.ts'
import { type Chain, connect } from './connection.ts'

/** The registry of ENS, which has one address on all chains that it is on (docs.ens.domains, Deployments). */
export const ensRegistry = account('0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e')

/** The chains that ENS is on: Ethereum, and its test networks Sepolia and Holesky. */
export const ensChains: readonly number[] = [1, 11_155_111, 17_000]

/** The names that ENS, a registry of names on a chain (ERC-137), has for accounts. */
export type EnsNames = {
  /**
   * Returns the primary name of an account (ERC-181): the one that the account chose, and that leads
   * back to it. A result may be five minutes old.
   *
   * @throws `ledger/unavailable`
   */
  nameOf(of: Account): Promise<string | undefined>
  /**
   * Returns the account that a name leads to now, and the name as ENS writes it; `undefined` for a
   * text that is no name, and for one that leads nowhere.
   *
   * @throws `ledger/unavailable`
   */
  find(text: string): Promise<{ readonly name: string; readonly account: Account } | undefined>
}

export declare namespace ensNames {
  type Parts = {
    /** The chain, or the address of its node. */
    readonly chain: Chain | URL
    /** The address of the registry of ENS. */
    readonly registry: Account
    /** Returns the time in milliseconds. */
    readonly now: () => number
  }
}

const abi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function name(bytes32 node) view returns (string)',
  'function addr(bytes32 node) view returns (address)',
])

/** The gas of one call: the owner of a name chooses the contract that resolves it. */
const gas = 500_000n

/** The longest name, in characters. */
const longestName = 255

/** The time for which the name of an account is cached, in milliseconds. */
const freshTime = 300_000

/** The most accounts whose names are cached; the cache holds twice as many at most. */
const mostCached = 4096

/**
 * Returns the names of a registry. Reads only what is on the chain: a name whose resolver sends its
 * readers to a host elsewhere (ERC-3668) has none, since a server must not request what a stranger
 * names.
 */
export function ensNames({ chain, registry, now }: ensNames.Parts): EnsNames {
  const ens = { client: connect(chain), registry }
  type Known = { readonly name: string | undefined; readonly until: number }
  const known = lruCache<Account, Known>(mostCached)
  const find = async (text: string) => {
    const name = await normalized(text)
    const found = name === undefined ? undefined : await addressOf(ens, name)
    return name === undefined || found === undefined ? undefined : { name, account: found }
  }
  const read = async (of: Account) => {
    const text = await reverseNameOf(ens, of)
    const found = text === undefined ? undefined : await find(text)
    // Anyone may claim any name; and one that is written otherwise could be taken for another.
    return found?.account === of && found.name === text ? text : undefined
  }
  return {
    find,
    nameOf: async (of) => {
      const before = known.get(of)
      if (before !== undefined && now() < before.until) return before.name
      const name = await read(of)
      known.set(of, { name, until: now() + freshTime })
      return name
    },
  }
}

/** Returns a name in its one spelling (ENSIP-15); `undefined` for a text that is none. */
async function normalized(text: string): Promise<string | undefined> {
  if (text.length > longestName || !text.includes('.')) return undefined
  const { normalize } = await import('viem/ens')
  try {
    return normalize(text)
  } catch {
    return undefined
  }
}

type Registry = Pick<ensNames.Parts, 'registry'> & { readonly client: PublicClient }

async function addressOf(ens: Registry, name: string): Promise<Account | undefined> {
  const found = await askResolver(ens, name, 'addr')
  return found === undefined || found === zeroAddress ? undefined : account(found)
}

const reverseNameOf = (ens: Registry, of: Account): Promise<string | undefined> =>
  askResolver(ens, `${of.slice(2).toLowerCase()}.addr.reverse`, 'name')

/** Asks the resolver of a name for a record; `undefined` where it has no resolver, or no answer. */
async function askResolver(
  { client, registry }: Registry,
  name: string,
  record: 'addr' | 'name',
): Promise<string | undefined> {
  const { namehash } = await import('viem/ens')
  const args = [namehash(name)] as const
  const ask = async (to: Hex, functionName: 'resolver' | 'addr' | 'name') => {
    const data = encodeFunctionData({ abi, functionName, args })
    return resultOf(functionName, await callContract(client, { to, data, gas }))
  }
  const resolver = await ask(registry, 'resolver')
  if (resolver === undefined || resolver === zeroAddress) return undefined
  return ask(resolver as Hex, record)
}

function resultOf(functionName: 'resolver' | 'addr' | 'name', data: Hex | undefined) {
  if (data === undefined) return undefined
  try {
    return decodeFunctionResult({ abi, functionName, data })
  } catch {
    // What a stranger's contract returns may be anything.
    return undefined
  }
}
