import type { S3Place } from '@heirloom/adapters/blob-store/s3'
import {
  type Environment,
  invalidVariable,
  moduleOf,
  readCount,
  readInteger,
  readText,
  splitList,
  wrongValue,
} from './environment.ts'
import { readPeerKey } from './read-keys.ts'

/**
 * Reads the URL of the PostgreSQL database.
 *
 * @throws `config/invalid`
 */
export function readDatabaseUrl(env: Environment): string | undefined {
  const text = readText(env, 'DATABASE_URL')
  if (text === undefined) return undefined
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol === 'postgres:' || protocol === 'postgresql:') return text
  throw invalidVariable('DATABASE_URL', 'must be a postgres address')
}

/** A place outside the data folder that stores the blobs. */
export type BlobStoreSource =
  | {
      readonly kind: 'module'
      /** The absolute path of the module, or the name of a package. */
      readonly module: string
      /** The address that the module stores the blobs at; may contain a password. */
      readonly url: string | undefined
    }
  | { readonly kind: 's3'; readonly place: S3Place }

/**
 * Reads the place that stores the blobs: a bucket, or what a module makes of BLOB_URL; `undefined`
 * for IPFS blocks in the data folder.
 *
 * @throws `config/invalid`
 */
export function readBlobStore(env: Environment): BlobStoreSource | undefined {
  const name = readText(env, 'BLOB_STORE')
  const url = readText(env, 'BLOB_URL')
  if (name !== undefined && name !== 'helia') {
    refusePeers(env, 'BLOB_STORE')
    if (url !== undefined && !URL.canParse(url)) throw invalidVariable('BLOB_URL', 'must be a URL')
    return { kind: 'module', module: readModule(name), url }
  }
  if (url === undefined) return undefined
  if (!/^s3:/i.test(url)) {
    throw invalidVariable(
      'BLOB_URL',
      'must begin with s3://, unless BLOB_STORE names a module for it',
    )
  }
  if (name !== undefined) {
    throw invalidVariable('BLOB_URL', 'has no effect with BLOB_STORE=helia; unset one of them')
  }
  refusePeers(env, 'BLOB_URL')
  return { kind: 's3', place: readS3Url('BLOB_URL', url) }
}

const peerVariables = [
  'IPFS_LISTEN',
  'IPFS_PEERS',
  'IPFS_PEER_KEY',
  'BLOB_COPIES',
  'BLOB_BYTES_PER_PEER',
] as const

function refusePeers(env: Environment, other: string): void {
  for (const name of peerVariables) {
    if (readText(env, name) === undefined) continue
    throw invalidVariable(name, `has no effect with ${other}; unset one of them`)
  }
}

function readModule(name: string): string {
  const module = moduleOf(name)
  if (module !== undefined) return module
  throw wrongValue(
    'BLOB_STORE',
    'must be helia, the path of a module or the name of a package',
    name,
  )
}

/**
 * Reads a place in an S3-compatible store: `s3://bucket/prefix`, with the options `endpoint`,
 * `region` and `path-style`. Path style is the default at an endpoint.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readS3Url(name: string, text: string): S3Place {
  const fail = (problem: string) => invalidVariable(name, problem)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw fail('must be a URL such as s3://bucket/prefix')
  const given = url.searchParams
  requireKnown(given, fail)
  const bucket = readBucket(url, fail)
  const prefix = readPrefix(url.pathname, fail)
  const endpoint = readEndpoint(given.get('endpoint') ?? undefined, fail)
  const region = given.get('region') ?? undefined
  if (!/^[a-z0-9-]{1,63}$/.test(region ?? 'any')) {
    throw fail('must name a region of lower-case letters, digits and hyphens')
  }
  const pathStyle = given.get('path-style') ?? String(endpoint !== undefined)
  if (!/^(true|false)$/.test(pathStyle)) throw fail('needs path-style=true or false')
  return { bucket, prefix, endpoint, region, pathStyle: pathStyle === 'true' }
}

function readBucket({ username, password, hostname, port, hash }: URL, fail: Fail): string {
  if (username + password !== '') {
    throw fail('must hold no key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  const isBucket = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname) && port + hash === ''
  if (isBucket) return hostname
  throw fail('must begin with s3:// and the name of a bucket, and its options follow a ?')
}

type Fail = (problem: string) => Error

const options = ['endpoint', 'region', 'path-style']

function requireKnown(given: URLSearchParams, fail: Fail): void {
  const names = [...given.keys()]
  if (names.some((name) => !options.includes(name))) {
    throw fail(`has an unknown option; it may have ${options.join(', ')}`)
  }
  if (new Set(names).size < names.length) throw fail('has an option twice')
}

function readEndpoint(text: string | undefined, fail: Fail): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  if (!isPlain) throw fail('needs an endpoint such as https://s3.example, without a key in it')
  return text.replace(/\/$/, '')
}

function readPrefix(pathname: string, fail: Fail): string {
  const prefix = pathname.replace(/^\//, '').replace(/\/?$/, '/')
  if (prefix === '/') return ''
  // Names that programs change on their way would not be found again.
  if (/^([\w.-]+\/)+$/.test(prefix) && !/(^|\/)\.{1,2}\//.test(prefix)) return prefix
  throw fail('needs a prefix of letters, digits, dots, hyphens and underscores between slashes')
}

/** The exchange of blocks with other IPFS nodes. */
export type NetworkSettings = {
  /** Multiaddresses to listen on. */
  readonly listen: readonly string[]
  /** Multiaddresses of the nodes that are asked for missing blocks. */
  readonly peers: readonly string[]
  /** The seed of the key that proves this node to its peers; absent for one in the data folder. */
  readonly seed: Uint8Array | undefined
  /** The number of nodes that hold each block, this one included; absent to make no copies. */
  readonly copies: CopySettings | undefined
}

/** The copies of each block on other nodes, and the room for those of others here. */
export type CopySettings = {
  readonly count: number
  /** The most bytes that each peer may have stored here; absent for an equal part of the disk. */
  readonly bytesPerPeer: number | undefined
}

/**
 * Reads the exchange of blocks with other IPFS nodes; `undefined` to stay offline.
 *
 * @throws `config/invalid`
 */
export function readNetwork(env: Environment): NetworkSettings | undefined {
  const listen = splitList(readText(env, 'IPFS_LISTEN'))
  const peers = splitList(readText(env, 'IPFS_PEERS'))
  const count = readCount(env, { name: 'BLOB_COPIES', min: 1, max: 16 })
  const bytesPerPeer = readInteger(env, { name: 'BLOB_BYTES_PER_PEER', min: 1, max: 2 ** 50 })
  const key = readText(env, 'IPFS_PEER_KEY')
  if (count > 1) requirePeers(count, peers)
  if (listen.length + peers.length === 0) return undefined
  const seed = key === undefined ? undefined : readPeerKey('IPFS_PEER_KEY', key)
  return { listen, peers, seed, copies: count > 1 ? { count, bytesPerPeer } : undefined }
}

/** Refuses copies on nodes that are too few, or that nothing proves. */
function requirePeers(count: number, peers: readonly string[]): void {
  const ids = peers.map((peer) => /\/p2p\/(\w+)\/?$/.exec(peer)?.[1])
  if (ids.includes(undefined)) {
    throw invalidVariable(
      'IPFS_PEERS',
      'must end with /p2p/ and a peer id where BLOB_COPIES is set',
    )
  }
  if (new Set(ids).size < count - 1) {
    throw invalidVariable('BLOB_COPIES', 'needs as many nodes; name the others in IPFS_PEERS')
  }
}
