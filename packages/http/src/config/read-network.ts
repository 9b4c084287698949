import {
  type Environment,
  invalidVariable,
  readInteger,
  readText,
  splitList,
} from './environment.ts'
import { readPeerKey } from './key-text.ts'

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
  const count = readInteger(env, { name: 'BLOB_COPIES', min: 1, max: 16 }) ?? 1
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
