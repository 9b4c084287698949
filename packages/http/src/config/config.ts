import { strangerLimits } from '@heirloom/adapters/chain/stranger-limits'
import type { Account, Hex, Wei } from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { type Bounds, readBounds } from './read-bounds.ts'
import { type Environment, readFlag, readInteger, invalidVariable, splitList, readWei, readText } from './environment.ts'
import { readAgentKey, readMasterKeys } from './key-text.ts'
import { type LogLevel, readLogLevel } from './log-level.ts'
import { isLoopback } from './loopback.ts'

export type { Environment } from './environment.ts'

/** The embedded chain, or a remote one. */
export type ChainSource =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'remote'; readonly url: URL; readonly chainId: number | undefined }

/** The contract pair that a server works with. */
export type ContractAddresses = { readonly registry: Account; readonly marketplace: Account }

/** The largest value of BODY_LIMIT, in bytes. */
export const largestBody = 2 ** 30

/** The configuration that every command needs. */
export type ChainConfig = {
  readonly dataDir: string
  readonly chain: ChainSource
  /** Absent if the contracts are not deployed yet. */
  readonly contracts: ContractAddresses | undefined
  /** The private key of the agent wallet; absent if one is to be generated. */
  readonly agentKey: Hex | undefined
}

/** The configuration of a server. */
export type Config = ChainConfig & {
  readonly host: string
  readonly port: number
  readonly logLevel: LogLevel
  readonly bodyLimit: number
  /** The size of the decrypted cache, in bytes. */
  readonly keepOpened: number
  /** API keys with the scope `admin`, without a name or a budget. */
  readonly apiKeys: readonly string[]
  /** The file of the API keys that have a name, a scope and a budget. */
  readonly apiKeysFile: string | undefined
  /** The bounds for each client. */
  readonly bounds: Bounds
  /** The master keys, the wrapping one first; empty if they are in a file. */
  readonly masterKeys: readonly Uint8Array[]
  /** The file of the master keys; absent for `master.keys` in the data folder. */
  readonly masterKeyFile: string | undefined
  /** The PostgreSQL database that several servers can share; absent for files in the data folder. */
  readonly databaseUrl: string | undefined
  /** Whether webhooks may be on this machine and in private networks. */
  readonly webhooksToPrivate: boolean
  /** The first block that can contain an event of the contracts. */
  readonly catalogueFrom: number
  /** The origin at which clients reach the server, such as `https://memories.example`. */
  readonly publicUrl: string | undefined
  /** Whether every proof must name this server. */
  readonly requireBoundProof: boolean
  /** The confirmations of a write before it is answered, including its own block. */
  readonly confirmations: number
  /** The limits of what the agent wallet spends. */
  readonly limits: { readonly perCall: Wei | undefined; readonly perDay: Wei | undefined }
  /** The limits of `/rpc`, through which clients use the embedded chain. */
  readonly rpc: {
    readonly isOn: boolean
    /** The gas limit of one call or transaction. */
    readonly gas: bigint
    /** The gas limit of all transactions of a day. */
    readonly gasPerDay: bigint
    /** The origins of the browser extensions that may use it; absent for any. */
    readonly extensions: readonly string[] | undefined
  }
  /** The addresses for exchanging blobs with other IPFS nodes; absent to stay offline. */
  readonly network:
    | { readonly listen: readonly string[]; readonly peers: readonly string[] }
    | undefined
}

const loopback = '127.0.0.1'

/**
 * Reads the configuration of every command. A variable that is unset or empty has its default.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readChainConfig(env: Environment): ChainConfig {
  const chain = readChain(env)
  const agentKey = readText(env, 'AGENT_PRIVATE_KEY')
  return {
    dataDir: dataDirOf(env),
    chain,
    contracts: readContracts(env),
    agentKey: agentKey === undefined ? undefined : readAgentKey('AGENT_PRIVATE_KEY', agentKey),
  }
}

/**
 * Reads the configuration of a server, in the same way.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readConfig(env: Environment): Config {
  const host = readText(env, 'HOST') ?? loopback
  const config = {
    ...readChainConfig(env),
    host,
    port: readInteger(env, { name: 'PORT', min: 0, max: 65_535 }) ?? 3000,
    logLevel: readLogLevel(env),
    bodyLimit: readInteger(env, { name: 'BODY_LIMIT', min: 1, max: largestBody }) ?? 256 * 2 ** 20,
    keepOpened: readInteger(env, { name: 'KEEP_OPENED', min: 0, max: 2 ** 40 }) ?? 64 * 2 ** 20,
    apiKeys: readApiKeys(env),
    apiKeysFile: readText(env, 'API_KEYS_FILE'),
    bounds: readBounds(env, isLoopback(host)),
    ...readMasterKeySource(env),
    databaseUrl: readDatabaseUrl(env),
    publicUrl: readPublicUrl(env),
    requireBoundProof: readFlag(env, 'REQUIRE_BOUND_PROOF'),
    webhooksToPrivate: readFlag(env, 'WEBHOOKS_TO_PRIVATE'),
    catalogueFrom: readInteger(env, { name: 'CATALOGUE_FROM', min: 0, max: 2 ** 48 }) ?? 0,
    confirmations: readInteger(env, { name: 'CONFIRMATIONS', min: 1, max: 1000 }) ?? 1,
    limits: {
      perCall: readWei(env, 'MAX_SPEND_PER_CALL'),
      perDay: readWei(env, 'MAX_SPEND_PER_DAY'),
    },
    rpc: readRpc(env),
    network: readNetwork(env),
  }
  requireSecrets(config)
  requireApiKeys(config, readFlag(env, 'OPEN_WRITES'))
  requirePublicUrl(config)
  return config
}

/** Returns the data folder of a server on this machine. */
export const dataDirOf = (env: Environment): string => readText(env, 'DATA_DIR') ?? '.heirloom'

function readDatabaseUrl(env: Environment): string | undefined {
  const text = readText(env, 'DATABASE_URL')
  if (text === undefined) return undefined
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol === 'postgres:' || protocol === 'postgresql:') return text
  throw invalidVariable('DATABASE_URL', 'must be a postgres address')
}

function readPublicUrl(env: Environment): string | undefined {
  const text = readText(env, 'PUBLIC_URL')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && [url.origin, `${url.origin}/`].includes(url.href)
  if (isOrigin && /^https?:$/.test(url.protocol)) return url.origin
  throw invalidVariable('PUBLIC_URL', 'must be an http or https address without a path')
}

// A public server without a known origin cannot name the text that clients must sign.
function requirePublicUrl({ host, publicUrl, requireBoundProof }: Config): void {
  if (!requireBoundProof || publicUrl !== undefined || isLoopback(host)) return
  throw invalidVariable(
    'PUBLIC_URL',
    'must be set where REQUIRE_BOUND_PROOF is and HOST is not a loopback address',
  )
}

function readApiKeys(env: Environment): readonly string[] {
  const text = readText(env, 'API_KEYS')
  const keys = splitList(text)
  if (text !== undefined && keys.length === 0) {
    throw invalidVariable('API_KEYS', 'is set but holds no key')
  }
  if (keys.every((key) => /^[\x21-\x7e]{16,}$/.test(key))) return keys
  throw invalidVariable('API_KEYS', 'must be a comma list of keys, each of 16 or more printable characters')
}

function readChain(env: Environment): ChainSource {
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

function readContracts(env: Environment): ContractAddresses | undefined {
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

function readMasterKeySource(env: Environment): Pick<Config, 'masterKeys' | 'masterKeyFile'> {
  const masterKeys = readMasterKeys('MASTER_KEYS', readText(env, 'MASTER_KEYS') ?? '')
  const masterKeyFile = readText(env, 'MASTER_KEY_FILE')
  if (masterKeys.length > 0 && masterKeyFile !== undefined) {
    throw invalidVariable('MASTER_KEY_FILE', 'must be left out where MASTER_KEYS is set')
  }
  return { masterKeys, masterKeyFile }
}

function readRpc(env: Environment): Config['rpc'] {
  const gas = readInteger(env, { name: 'RPC_GAS', min: 21_000, max: 2 ** 24 })
  const gasPerDay = readInteger(env, { name: 'RPC_GAS_PER_DAY', min: 0, max: 2 ** 48 })
  const defaults = strangerLimits
  return {
    // A server that listens on this machine only serves only the user's own wallets.
    isOn: readFlag(env, 'RPC_OPEN', isLoopback(readText(env, 'HOST') ?? loopback)),
    gas: gas === undefined ? defaults.gas : BigInt(gas),
    gasPerDay: gasPerDay === undefined ? defaults.gasPerDay : BigInt(gasPerDay),
    extensions: readExtensions(env),
  }
}

function readExtensions(env: Environment): readonly string[] | undefined {
  const text = readText(env, 'RPC_EXTENSIONS')
  if (text === undefined) return undefined
  const origins = splitList(text)
  if (origins.every((it) => /^[a-z]+(-web)?-extension:\/\/[A-Za-z0-9._-]+$/.test(it)))
    return origins
  throw invalidVariable('RPC_EXTENSIONS', 'must be a comma list of origins such as chrome-extension://abc')
}

function readNetwork(env: Environment): Config['network'] {
  const listen = splitList(readText(env, 'IPFS_LISTEN'))
  const peers = splitList(readText(env, 'IPFS_PEERS'))
  return listen.length + peers.length === 0 ? undefined : { listen, peers }
}

// A key that is generated here would own money on a chain that outlives the data folder.
function requireSecrets({ chain, agentKey, masterKeys, masterKeyFile }: Config): void {
  if (chain.kind === 'embedded') return
  if (agentKey === undefined) throw invalidVariable('AGENT_PRIVATE_KEY', 'must be set where RPC_URL is')
  if (masterKeys.length === 0 && masterKeyFile === undefined) {
    throw invalidVariable('MASTER_KEYS', 'or MASTER_KEY_FILE must be set where RPC_URL is')
  }
}

function requireApiKeys({ host, apiKeys, apiKeysFile }: Config, openWrites: boolean): void {
  const hasKeys = apiKeys.length > 0 || apiKeysFile !== undefined
  if (isLoopback(host) || hasKeys || openWrites) return
  throw invalidVariable(
    'API_KEYS',
    'or API_KEYS_FILE must be set where HOST is not a loopback address, for writes spend the money of the agent wallet; OPEN_WRITES=true allows them to anyone',
  )
}
