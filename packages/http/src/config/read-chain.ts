import type { Account } from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import {
  type Environment,
  invalidVariable,
  readInteger,
  readText,
  wrongValue,
} from './environment.ts'

/** The embedded chain, or a remote one. */
export type ChainSource =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'remote'
      /** The addresses of its nodes, most preferred first. */
      readonly urls: readonly URL[]
      readonly chainId: number | undefined
      /** The number of nodes that must agree on what gives a right or ends a write. */
      readonly quorum: number
      /** The time that a start waits for a node, in milliseconds. */
      readonly patience: number
    }

/** The contract pair that a server works with. */
export type ContractAddresses = { readonly registry: Account; readonly marketplace: Account }

/**
 * Reads the chain that a server works with.
 *
 * @throws `config/invalid`
 */
export function readChain(env: Environment): ChainSource {
  const text = readText(env, 'RPC_URL')
  const chainId = readInteger(env, { name: 'CHAIN_ID', min: 1, max: 2 ** 53 - 1 })
  if (text === undefined) {
    if (chainId === undefined || chainId === 31337) return { kind: 'embedded' }
    throw invalidVariable(
      'CHAIN_ID',
      'must be 31337 where RPC_URL is not set: the embedded chain has that id',
    )
  }
  const urls = readNodes(text)
  const quorum = readInteger(env, { name: 'RPC_QUORUM', min: 1, max: urls.length }) ?? 1
  const seconds = readInteger(env, { name: 'RPC_WAIT', min: 0, max: 2 ** 31 })
  const patience = seconds === undefined ? Number.POSITIVE_INFINITY : 1000 * seconds
  return { kind: 'remote', urls, chainId, quorum, patience }
}

/** The most nodes of one chain: each is checked every few seconds. */
const mostNodes = 8

function readNodes(text: string): readonly URL[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  const urls = parts.map((part) => (URL.canParse(part) ? new URL(part) : undefined))
  const nodes = urls.filter((url) => url?.protocol === 'http:' || url?.protocol === 'https:')
  const named = nodes.flatMap((url) => (url === undefined ? [] : [url]))
  // The addresses may hold keys, so the message names a place.
  const bad = urls.findIndex((url) => url === undefined || !nodes.includes(url))
  if (bad >= 0) {
    const which = parts.length === 1 ? '' : `, and address ${bad + 1} is none`
    throw invalidVariable('RPC_URL', `must be http or https addresses, separated by commas${which}`)
  }
  const twice = named.findIndex(({ href }, index) =>
    named.slice(0, index).some((it) => it.href === href),
  )
  if (twice >= 0) throw invalidVariable('RPC_URL', `names address ${twice + 1} twice`)
  if (named.length > mostNodes)
    throw invalidVariable('RPC_URL', `may name ${mostNodes} nodes at most`)
  return named
}

/**
 * Reads the addresses of the contract pair; returns `undefined` if neither is set.
 *
 * @throws `config/invalid`
 */
export function readContracts(env: Environment): ContractAddresses | undefined {
  const registry = readContract(env, 'REGISTRY_ADDRESS')
  const marketplace = readContract(env, 'MARKETPLACE_ADDRESS')
  if (registry !== undefined && marketplace !== undefined) return { registry, marketplace }
  if (registry === undefined && marketplace === undefined) return undefined
  const missing = registry === undefined ? 'REGISTRY_ADDRESS' : 'MARKETPLACE_ADDRESS'
  throw invalidVariable(missing, 'must be set too: the two contracts are a pair')
}

function readContract(env: Environment, name: string): Account | undefined {
  const text = readText(env, name)
  if (text === undefined) return undefined
  try {
    return readAddress(text)
  } catch {
    throw wrongValue(name, 'must be an address, 0x and 40 hexadecimal digits', text)
  }
}
