import type { Account } from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import {
  type Environment,
  invalidVariable,
  readCount,
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
  const quorum = readCount(env, { name: 'RPC_QUORUM', min: 1, max: urls.length })
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

function readContract(
  env: Environment,
  name: 'REGISTRY_ADDRESS' | 'MARKETPLACE_ADDRESS',
): Account | undefined {
  const text = readText(env, name)
  if (text === undefined) return undefined
  try {
    return readAddress(text)
  } catch {
    throw wrongValue(name, 'must be an address, 0x and 40 hexadecimal digits', text)
  }
}

/** The facts of the chain for wallets and browsers. */
export type PublicChain = {
  /** The JSON-RPC address that anybody may use; absent for none. */
  readonly rpcUrl: string | undefined
  /** The name of the chain; absent where it is well known. */
  readonly name: string | undefined
  /** The symbol of the native currency; absent where the chain is well known, or it is ether. */
  readonly nativeSymbol: string | undefined
  /** The address of a block explorer; absent for none. */
  readonly explorerUrl: string | undefined
  /** The price of a unit of the native currency, as the operator says; absent for none. */
  readonly nativePrice: { readonly price: string; readonly currency: string } | undefined
}

/**
 * Reads the facts of the chain for wallets and browsers. RPC_URL is not public: it often holds a key.
 *
 * @throws `config/invalid`
 */
export function readPublicChain(env: Environment): PublicChain {
  return {
    rpcUrl: readPublicAddress(env, 'PUBLIC_RPC_URL'),
    name: readName(env),
    nativeSymbol: readSymbol(env),
    explorerUrl: readPublicAddress(env, 'EXPLORER_URL'),
    nativePrice: readPrice(env),
  }
}

function readPublicAddress(
  env: Environment,
  name: 'PUBLIC_RPC_URL' | 'EXPLORER_URL',
): string | undefined {
  const text = readText(env, name)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && url.username === '' && url.password === ''
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/$/, '')
  throw invalidVariable(name, 'must be an http or https address without a password')
}

function readName(env: Environment): string | undefined {
  const text = readText(env, 'CHAIN_NAME')
  if (text === undefined || /^[\p{L}\p{N} ._()-]{1,40}$/u.test(text)) return text
  throw wrongValue('CHAIN_NAME', 'must be 1 to 40 letters, digits, spaces and . _ ( ) -', text)
}

function readSymbol(env: Environment): string | undefined {
  const text = readText(env, 'NATIVE_SYMBOL')
  if (text === undefined || /^[A-Za-z0-9]{2,6}$/.test(text)) return text
  throw wrongValue('NATIVE_SYMBOL', 'must be 2 to 6 letters and digits, as wallets show it', text)
}

function readPrice(env: Environment): PublicChain['nativePrice'] {
  const text = readText(env, 'NATIVE_PRICE')
  if (text === undefined) return undefined
  const [, price, currency] = /^(\d{1,9}(?:\.\d{1,6})?) ([A-Z]{3})$/.exec(text) ?? []
  if (price !== undefined && currency !== undefined && Number(price) > 0) return { price, currency }
  throw invalidVariable('NATIVE_PRICE', 'must be a price and its currency, such as 3000 EUR')
}

/**
 * Reads the address of the registry of ENS; `none` to use no names of ENS.
 *
 * @throws `config/invalid`
 */
export function readEns(env: Environment): Account | 'none' | undefined {
  const text = readText(env, 'ENS_REGISTRY')
  if (text === undefined || text === 'none') return text
  try {
    return readAddress(text)
  } catch {
    throw invalidVariable(
      'ENS_REGISTRY',
      'must be an address, 0x and 40 hexadecimal digits, or none',
    )
  }
}
