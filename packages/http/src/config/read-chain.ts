import type { Account } from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { type Environment, invalidVariable, readInteger, readText } from './environment.ts'

/** The embedded chain, or a remote one. */
export type ChainSource =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'remote'; readonly url: URL; readonly chainId: number | undefined }

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
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalidVariable('RPC_URL', 'must be an http or https address')
  }
  return { kind: 'remote', url, chainId }
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
    throw invalidVariable(name, 'must be an address, 0x and 40 hexadecimal digits')
  }
}
