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
import { createHeliaLight, type Helia } from 'helia'
import type { Blockstore } from 'interface-blockstore'
import type { Network } from './network.ts'

/** Helia over a place of blocks, and the network that it has joined. */
type Joined = { readonly helia: Helia; readonly network: Network }

type Input = Network.Input & { readonly folder: string }

/**
 * Starts Helia with libp2p over TCP and bitswap, and nothing else: nobody is looked for, in the
 * local network or beyond, no router is asked to open a port, and nothing is relayed.
 */
export async function joinNetwork(blockstore: Blockstore, input: Input): Promise<Joined> {
  const helia = createHeliaLight({ blockstore })
  try {
    return { helia, network: await meet(helia, input) }
  } catch (error) {
    await helia.stop()
    throw error
  }
}

async function meet(
  helia: Helia,
  { listen, peers, patience = 10_000, folder }: Input,
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
