import { publicLimits } from '@heirloom/adapters/chain/stranger-limits'
import type { Account, Hex, Wei } from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { type Environment, flag, integer, invalid, items, readLimit, value } from './environment.ts'
import { readAgentKey, readMasterKeys } from './key-text.ts'
import { type LogLevel, readLogLevel } from './log-level.ts'
import { isLoopback } from './loopback.ts'
import { type Bounds, readBounds } from './read-bounds.ts'

export type { Environment } from './environment.ts'

/** The chain in this process, or one elsewhere and the contract pair on it. */
export type ChainSource =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'remote'; readonly url: URL; readonly chainId: number | undefined }

/** The contract pair that a server works with. */
export type ContractAddresses = { readonly registry: Account; readonly marketplace: Account }

/** The highest BODY_LIMIT, in bytes. */
export const largestBody = 2 ** 30

/** What the environment decides for every command. */
export type ChainConfig = {
  readonly dataDir: string
  readonly chain: ChainSource
  /** Absent where contracts are still to be deployed. */
  readonly contracts: ContractAddresses | undefined
  /** The agent wallet's private key; absent where one is to be made. */
  readonly agentKey: Hex | undefined
}

/** All that the environment decides for a server. */
export type Config = ChainConfig & {
  readonly host: string
  readonly port: number
  readonly logLevel: LogLevel
  readonly bodyLimit: number
  /** How much of the memories opened last is kept opened, in bytes. */
  readonly keepOpened: number
  /** Keys that may do everything, without a budget. */
  readonly apiKeys: readonly string[]
  /** The file of the keys that have a name, a scope and a budget. */
  readonly apiKeysFile: string | undefined
  /** What one client may have of the server. */
  readonly bounds: Bounds
  /** The master keys, the one that wraps first; empty where they are in a file. */
  readonly masterKeys: readonly Uint8Array[]
  /** The file with the master keys; absent for `master.keys` in the data folder. */
  readonly masterKeyFile: string | undefined
  /** The PostgreSQL database that several servers share for their jobs; absent for a file of one's own. */
  readonly databaseUrl: string | undefined
  /** Whether events may be sent to this machine and into private networks. */
  readonly webhooksToPrivate: boolean
  /** The first block that can hold an event of the contracts. */
  readonly catalogueFrom: number
  /** Where clients reach the server, as `https://memories.example`; absent where nobody said. */
  readonly publicUrl: string | undefined
  /** Whether only proofs are taken that name this server. */
  readonly requireBoundProof: boolean
  /** How many blocks a write is in before it is answered, its own included. */
  readonly confirmations: number
  /** The most that the agent wallet may spend. */
  readonly limits: { readonly perCall: Wei | undefined; readonly perDay: Wei | undefined }
  /** What clients outside this process may do on the embedded chain, through `/rpc`. */
  readonly rpc: {
    readonly isOn: boolean
    /** The most gas of one call or transaction. */
    readonly gas: bigint
    /** The gas of all transactions of a day. */
    readonly gasPerDay: bigint
    /** The origins of the browser extensions that may use it; absent to let any. */
    readonly extensions: readonly string[] | undefined
  }
  /** How to meet other IPFS nodes; absent to stay alone. */
  readonly network:
    | { readonly listen: readonly string[]; readonly peers: readonly string[] }
    | undefined
}

const loopback = '127.0.0.1'

/**
 * Reads what every command needs; a variable that is unset or empty has its default.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readChainConfig(env: Environment): ChainConfig {
  const chain = readChain(env)
  const agentKey = value(env, 'AGENT_PRIVATE_KEY')
  return {
    dataDir: dataDirOf(env),
    chain,
    contracts: readContracts(env),
    agentKey: agentKey === undefined ? undefined : readAgentKey('AGENT_PRIVATE_KEY', agentKey),
  }
}

/**
 * Reads what a server needs, in the same way.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readConfig(env: Environment): Config {
  const host = value(env, 'HOST') ?? loopback
  const config = {
    ...readChainConfig(env),
    host,
    port: integer(env, { name: 'PORT', least: 0, most: 65_535 }) ?? 3000,
    logLevel: readLogLevel(env),
    bodyLimit: integer(env, { name: 'BODY_LIMIT', least: 1, most: largestBody }) ?? 256 * 2 ** 20,
    keepOpened: integer(env, { name: 'KEEP_OPENED', least: 0, most: 2 ** 40 }) ?? 64 * 2 ** 20,
    apiKeys: readApiKeys(env),
    apiKeysFile: value(env, 'API_KEYS_FILE'),
    bounds: readBounds(env, isLoopback(host)),
    ...readMasterKeySource(env),
    databaseUrl: readDatabaseUrl(env),
    publicUrl: readPublicUrl(env),
    requireBoundProof: flag(env, 'REQUIRE_BOUND_PROOF'),
    webhooksToPrivate: flag(env, 'WEBHOOKS_TO_PRIVATE'),
    catalogueFrom: integer(env, { name: 'CATALOGUE_FROM', least: 0, most: 2 ** 48 }) ?? 0,
    confirmations: integer(env, { name: 'CONFIRMATIONS', least: 1, most: 1000 }) ?? 1,
    limits: {
      perCall: readLimit(env, 'MAX_SPEND_PER_CALL'),
      perDay: readLimit(env, 'MAX_SPEND_PER_DAY'),
    },
    rpc: readRpc(env),
    network: readNetwork(env),
  }
  refuseLostSecrets(config)
  refuseOpenWrites(config, flag(env, 'OPEN_WRITES'))
  refuseUnboundProofs(config)
  return config
}

/** Returns the folder of a server on this machine. */
export const dataDirOf = (env: Environment): string => value(env, 'DATA_DIR') ?? '.heirloom'

function readDatabaseUrl(env: Environment): string | undefined {
  const text = value(env, 'DATABASE_URL')
  if (text === undefined) return undefined
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol === 'postgres:' || protocol === 'postgresql:') return text
  throw invalid('DATABASE_URL', 'must be a postgres address')
}

function readPublicUrl(env: Environment): string | undefined {
  const text = value(env, 'PUBLIC_URL')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && [url.origin, `${url.origin}/`].includes(url.href)
  if (isOrigin && /^https?:$/.test(url.protocol)) return url.origin
  throw invalid('PUBLIC_URL', 'must be an http or https address without a path')
}

// A public server that does not know its own name could not say what to sign.
function refuseUnboundProofs({ host, publicUrl, requireBoundProof }: Config): void {
  if (!requireBoundProof || publicUrl !== undefined || isLoopback(host)) return
  throw invalid(
    'PUBLIC_URL',
    'must be set where REQUIRE_BOUND_PROOF is and HOST is not a loopback address',
  )
}

function readApiKeys(env: Environment): readonly string[] {
  const text = value(env, 'API_KEYS')
  const keys = items(text)
  if (text !== undefined && keys.length === 0) {
    throw invalid('API_KEYS', 'is set but holds no key')
  }
  if (keys.every((key) => /^[\x21-\x7e]{16,}$/.test(key))) return keys
  throw invalid('API_KEYS', 'must be a comma list of keys, each of 16 or more printable characters')
}

function readChain(env: Environment): ChainSource {
  const text = value(env, 'RPC_URL')
  const chainId = integer(env, { name: 'CHAIN_ID', least: 1, most: 2 ** 53 - 1 })
  if (text === undefined) {
    if (chainId === undefined || chainId === 31337) return { kind: 'embedded' }
    throw invalid(
      'CHAIN_ID',
      'must be 31337 where RPC_URL is not set: the embedded chain has that id',
    )
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalid('RPC_URL', 'must be an http or https address')
  }
  return { kind: 'remote', url, chainId }
}

function readContracts(env: Environment): ContractAddresses | undefined {
  const registry = readContract(env, 'REGISTRY_ADDRESS')
  const marketplace = readContract(env, 'MARKETPLACE_ADDRESS')
  if (registry !== undefined && marketplace !== undefined) return { registry, marketplace }
  if (registry === undefined && marketplace === undefined) return undefined
  const missing = registry === undefined ? 'REGISTRY_ADDRESS' : 'MARKETPLACE_ADDRESS'
  throw invalid(missing, 'must be set too: the two contracts are a pair')
}

function readContract(env: Environment, name: string): Account | undefined {
  const text = value(env, name)
  if (text === undefined) return undefined
  try {
    return readAddress(text)
  } catch {
    throw invalid(name, 'must be an address, 0x and 40 hexadecimal digits')
  }
}

function readMasterKeySource(env: Environment): Pick<Config, 'masterKeys' | 'masterKeyFile'> {
  const masterKeys = readMasterKeys('MASTER_KEYS', value(env, 'MASTER_KEYS') ?? '')
  const masterKeyFile = value(env, 'MASTER_KEY_FILE')
  if (masterKeys.length > 0 && masterKeyFile !== undefined) {
    throw invalid('MASTER_KEY_FILE', 'must be left out where MASTER_KEYS is set')
  }
  return { masterKeys, masterKeyFile }
}

function readRpc(env: Environment): Config['rpc'] {
  const gas = integer(env, { name: 'RPC_GAS', least: 21_000, most: 2 ** 24 })
  const gasPerDay = integer(env, { name: 'RPC_GAS_PER_DAY', least: 0, most: 2 ** 48 })
  const { gas: usual, gasPerDay: usualPerDay } = publicLimits
  return {
    // Whoever listens on this machine alone has only own wallets to serve.
    isOn: flag(env, 'RPC_OPEN', isLoopback(value(env, 'HOST') ?? loopback)),
    gas: gas === undefined ? usual : BigInt(gas),
    gasPerDay: gasPerDay === undefined ? usualPerDay : BigInt(gasPerDay),
    extensions: readExtensions(env),
  }
}

function readExtensions(env: Environment): readonly string[] | undefined {
  const text = value(env, 'RPC_EXTENSIONS')
  if (text === undefined) return undefined
  const origins = items(text)
  if (origins.every((it) => /^[a-z]+(-web)?-extension:\/\/[A-Za-z0-9._-]+$/.test(it)))
    return origins
  throw invalid('RPC_EXTENSIONS', 'must be a comma list of origins such as chrome-extension://abc')
}

function readNetwork(env: Environment): Config['network'] {
  const listen = items(value(env, 'IPFS_LISTEN'))
  const peers = items(value(env, 'IPFS_PEERS'))
  return listen.length + peers.length === 0 ? undefined : { listen, peers }
}

// A key made up here would be worth money on a chain that outlives the data folder.
function refuseLostSecrets({ chain, agentKey, masterKeys, masterKeyFile }: Config): void {
  if (chain.kind === 'embedded') return
  if (agentKey === undefined) throw invalid('AGENT_PRIVATE_KEY', 'must be set where RPC_URL is')
  if (masterKeys.length === 0 && masterKeyFile === undefined) {
    throw invalid('MASTER_KEYS', 'or MASTER_KEY_FILE must be set where RPC_URL is')
  }
}

function refuseOpenWrites({ host, apiKeys, apiKeysFile }: Config, openWrites: boolean): void {
  const hasKeys = apiKeys.length > 0 || apiKeysFile !== undefined
  if (isLoopback(host) || hasKeys || openWrites) return
  throw invalid(
    'API_KEYS',
    'or API_KEYS_FILE must be set where HOST is not a loopback address, for writes spend the money of the agent wallet; OPEN_WRITES=true allows them to anyone',
  )
}
