import type { Account, Hex, Wei } from '@heirloom/core'
import {
  dataDirOf,
  type Environment,
  invalidVariable,
  readChoice,
  readCount,
  readFlag,
  readInteger,
  readText,
  readWei,
} from './environment.ts'
import {
  isLocalOnly,
  type OpenAct,
  readApiKeys,
  readOpenActs,
  readPublicUrl,
  readSecurityContact,
  settingThatOpens,
} from './read-access.ts'
import { type Bounds, readBounds } from './read-bounds.ts'
import {
  type ChainSource,
  type ContractAddresses,
  type PublicChain,
  readChain,
  readContracts,
  readEns,
  readPublicChain,
} from './read-chain.ts'
import {
  type KeyServiceSource,
  type MasterKeySource,
  readAgentKey,
  readKeyService,
  readMasterKeySource,
} from './read-keys.ts'
import {
  type FaucetSettings,
  type RelaySettings,
  type RpcLimits,
  readFaucet,
  readRelaySettings,
  readRpcLimits,
  readSealSettings,
  type SealSettings,
} from './read-limits.ts'
import {
  type LogLevel,
  readLogLevel,
  readTracing,
  type TracingSettings,
} from './read-observability.ts'
import {
  type BlobStoreSource,
  type NetworkSettings,
  readBlobStore,
  readDatabaseUrl,
  readNetwork,
} from './read-storage.ts'
import { settingOf } from './settings.ts'

export type { Environment } from './environment.ts'
export type { ChainSource, ContractAddresses } from './read-chain.ts'

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
  /** The service that has the key of the agent wallet instead; absent for a key of this server. */
  readonly keyService: KeyServiceSource | undefined
}

/** The configuration of a server. */
export type Config = ChainConfig &
  MasterKeySource & {
    readonly host: string
    readonly port: number
    /** The seconds for which `/readyz` says that the server stops before it does. */
    readonly stopDelay: number
    readonly logLevel: LogLevel
    /** The collector of traces; absent to record none. */
    readonly tracing: TracingSettings | undefined
    readonly bodyLimit: number
    /** The size of the decrypted cache, in bytes. */
    readonly keepOpened: number
    /** API keys with the scope `admin`, without a name or a budget. */
    readonly apiKeys: readonly string[]
    /** The file of the API keys that have a name, a scope and a budget. */
    readonly apiKeysFile: string | undefined
    /** The acts that need no API key. */
    readonly openActs: readonly OpenAct[]
    /** The settings of memories that are sealed for wallets that mint themselves. */
    readonly seals: SealSettings
    /** Whether long memories are sealed in parts; absent for a week after an upgrade on. */
    readonly sealInParts: boolean | undefined
    /** The days for which openings of memories are remembered. */
    readonly openingsDays: number
    /** The limits of relayed acts. */
    readonly relay: RelaySettings
    /** The bounds for each client. */
    readonly bounds: Bounds
    /** The PostgreSQL database that several servers can share; absent for files in the data folder. */
    readonly databaseUrl: string | undefined
    /** Whether webhooks may be on this machine and in private networks. */
    readonly webhooksToPrivate: boolean
    /** The first block that can contain an event of the contracts; searched for when absent. */
    readonly catalogueFrom: number | undefined
    /** The origin at which clients reach the server, such as `https://memories.example`. */
    readonly publicUrl: string | undefined
    /** The URI for reports of weaknesses, which `security.txt` names. */
    readonly securityContact: string | undefined
    /** Whether every proof must name this server. */
    readonly requireBoundProof: boolean
    /** The confirmations of a write before it is answered, including its own block. */
    readonly confirmations: number
    /** The limits of what the agent wallet spends. */
    readonly limits: { readonly perCall: Wei | undefined; readonly perDay: Wei | undefined }
    /** The limits of `/rpc`. */
    readonly rpc: RpcLimits
    /** The facts of the chain for wallets and browsers. */
    readonly publicChain: PublicChain
    /** The registry of ENS, or none at all; absent for that of the chain, where it is known. */
    readonly ens: Account | 'none' | undefined
    /** The settings of the faucet of test dollars. */
    readonly faucet: FaucetSettings
    /** The place that stores the blobs; absent for IPFS blocks in the data folder. */
    readonly blobStore: BlobStoreSource | undefined
    /** The addresses for exchanging blobs with other IPFS nodes; absent to stay offline. */
    readonly network: NetworkSettings | undefined
  }

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
    keyService: readKeyService(env),
  }
}

/**
 * Reads the configuration of a server, in the same way.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readConfig(env: Environment): Config {
  const named = {
    host: readText(env, 'HOST') ?? settingOf('HOST').fallback,
    publicUrl: readPublicUrl(env),
    securityContact: readSecurityContact(env),
  }
  const bounds = readBounds(env, named)
  const isLocal = isLocalOnly({ ...named, bounds })
  const config = {
    ...readChainConfig(env),
    ...named,
    port: readCount(env, { name: 'PORT', min: 0, max: 65_535 }),
    stopDelay: readCount(env, { name: 'STOP_DELAY', min: 0, max: 600 }),
    logLevel: readLogLevel(env),
    tracing: readTracing(env),
    bodyLimit: readCount(env, { name: 'BODY_LIMIT', min: 1, max: largestBody }),
    keepOpened: readCount(env, { name: 'KEEP_OPENED', min: 0, max: 2 ** 40 }),
    apiKeys: readApiKeys(env),
    apiKeysFile: readText(env, 'API_KEYS_FILE'),
    openActs: readOpenActs(env),
    seals: readSealSettings(env, isLocal),
    sealInParts: readChoice(env, 'SEAL_IN_PARTS'),
    openingsDays: readCount(env, { name: 'OPENINGS_DAYS', min: 1, max: 36_500 }),
    relay: readRelaySettings(env, isLocal),
    bounds,
    ...readMasterKeySource(env),
    databaseUrl: readDatabaseUrl(env),
    requireBoundProof: readFlag(env, 'REQUIRE_BOUND_PROOF'),
    webhooksToPrivate: readFlag(env, 'WEBHOOKS_TO_PRIVATE'),
    catalogueFrom: readInteger(env, { name: 'CATALOGUE_FROM', min: 0, max: 2 ** 48 }),
    confirmations: readCount(env, { name: 'CONFIRMATIONS', min: 1, max: 1000 }),
    limits: {
      perCall: readWei(env, 'MAX_SPEND_PER_CALL'),
      perDay: readWei(env, 'MAX_SPEND_PER_DAY'),
    },
    rpc: readRpcLimits(env, isLocal),
    publicChain: readPublicChain(env),
    ens: readEns(env),
    faucet: readFaucet(env, isLocal),
    blobStore: readBlobStore(env),
    network: readNetwork(env),
  }
  requireSafeConfig(config, readFlag(env, 'OPEN_WRITES'))
  return config
}

/**
 * Refuses a configuration that would lose secrets, give away money or take unsafe proofs.
 *
 * @throws `config/invalid`
 */
function requireSafeConfig(config: Config, openWrites: boolean): void {
  requireSecrets(config)
  requireApiKeys(config, openWrites)
  requirePublicUrl(config)
}

// A key that is generated here would own money on a chain that outlives the data folder.
function requireSecrets({ chain, agentKey, keyService, masterKeys, masterKeyFile }: Config): void {
  if (chain.kind === 'embedded') return
  if (agentKey === undefined && keyService === undefined) {
    throw invalidVariable('AGENT_PRIVATE_KEY', 'or AGENT_KEY_SERVICE must be set where RPC_URL is')
  }
  if (masterKeys.length === 0 && masterKeyFile === undefined) {
    throw invalidVariable('MASTER_KEYS', 'or MASTER_KEY_FILE must be set where RPC_URL is')
  }
}

function requireApiKeys(config: Config, openWrites: boolean): void {
  const hasKeys = config.apiKeys.length > 0 || config.apiKeysFile !== undefined
  const opening = settingThatOpens(config)
  if (opening === undefined || hasKeys || openWrites) return
  throw invalidVariable(
    'API_KEYS',
    `or API_KEYS_FILE must be set, because ${opening} lets other machines reach the server and its writes spend the money of the agent wallet. Name a file in API_KEYS_FILE, and make its first key with: heirloom api-key new NAME --file FILE. OPEN_WRITES=true allows writes to anyone instead`,
  )
}

// A public server without a known origin cannot name the text that clients must sign.
function requirePublicUrl(config: Config): void {
  const { publicUrl, requireBoundProof, openActs } = config
  if (publicUrl !== undefined || isLocalOnly(config)) return
  const setting = requireBoundProof ? 'REQUIRE_BOUND_PROOF' : openActs.length > 0 && 'OPEN_ACTS'
  if (!setting) return
  throw invalidVariable(
    'PUBLIC_URL',
    `must be set where ${setting} is and other machines reach the server, as ${settingThatOpens(config)} says`,
  )
}
