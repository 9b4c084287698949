import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withBitswap } from '@helia/bitswap'
import { withLibp2pLight } from '@helia/libp2p'
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { identify } from '@libp2p/identify'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import type { Helia } from 'helia'
import type { CID } from 'multiformats/cid'

/** Other IPFS nodes, with which blocks are exchanged. */
export type Network = {
  /** Returns the addresses at which other nodes reach this one. */
  readonly addresses: () => readonly string[]
  /** Returns a block from a peer, which is kept from then on, or throws that none gave it. */
  readonly fetch: (cid: CID) => AsyncIterable<Uint8Array>
}

export declare namespace Network {
  type Input = {
    /** Multiaddresses to listen on, such as `/ip4/127.0.0.1/tcp/4001`. */
    readonly listen: readonly string[]
    /** Multiaddresses of the nodes that are asked for missing blocks. */
    readonly peers: readonly string[]
    /** How long peers may take to give a block, in milliseconds; 10 seconds by default. */
    readonly patience?: number
  }
}

/**
 * Starts Helia with libp2p over TCP and bitswap, and nothing else: nobody is looked for, in the
 * local network or beyond, no router is asked to open a port, and nothing is relayed.
 */
export async function joinNetwork(
  helia: Helia,
  { listen, peers, patience = 10_000, folder }: Network.Input & { readonly folder: string },
): Promise<Network> {
  const node = withLibp2pLight(helia, {
    privateKey: await generateKeyPairFromSeed('Ed25519', await keptSeed(folder)),
    addresses: { listen: [...listen] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    services: { identify: identify() },
  })
  await withBitswap(node).start()
  const providers = peers.map((peer) => multiaddr(peer))
  return {
    addresses: () => node.libp2p.getMultiaddrs().map(String),
    async *fetch(cid) {
      const alone = providers.length === 0 && node.libp2p.getConnections().length === 0
      if (alone) throw new Error('There is no peer to ask.')
      // Peers never say that nobody has a block, so the wait ends by time.
      yield* node.blockstore.get(cid, { providers, signal: AbortSignal.timeout(patience) })
    },
  }
}

/** The peer id is part of the addresses that others configure, so it outlives the process. */
async function keptSeed(folder: string): Promise<Uint8Array> {
  const path = join(folder, 'peer-seed')
  const seed = randomBytes(32)
  await writeFile(path, seed, { flag: 'wx', mode: 0o600 }).catch(ignoreExisting)
  return readFile(path)
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
