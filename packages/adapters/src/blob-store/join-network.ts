import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '@heirloom/core'
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
import { peerAt, serveCopies } from './copies/libp2p-copies.ts'
import type { Network } from './network.ts'

/** Helia on a blockstore, and the network that it has joined. */
type Joined = { readonly helia: Helia; readonly network: Network }

type Input = Network.Input & { readonly folder: string }

/**
 * Starts Helia with libp2p over TCP and bitswap, and nothing else: no peer discovery, no port
 * mapping and no relay.
 *
 * @throws `config/invalid` for addresses that are none, and where it cannot listen
 */
export async function joinNetwork(blockstore: Blockstore, input: Input): Promise<Joined> {
  const helia = createHeliaLight({ blockstore })
  try {
    return { helia, network: await startNode(helia, input) }
  } catch (error) {
    await helia.stop()
    throw error
  }
}

async function startNode(
  helia: Helia,
  { listen, peers, patience = 10_000, folder, seed }: Input,
): Promise<Network> {
  requireAddresses('IPFS_LISTEN', listen)
  requireAddresses('IPFS_PEERS', peers)
  const node = withLibp2pLight(helia, {
    privateKey: await generateKeyPairFromSeed('Ed25519', seed ?? (await readOrCreateSeed(folder))),
    addresses: { listen: [...listen] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    services: { identify: identify() },
  })
  await withBitswap(node)
    .start()
    .catch((cause: unknown) => {
      throw listen.length === 0 ? cause : notListening(listen, cause)
    })
  const providers = peers.map((peer) => multiaddr(peer))
  const isConnected = () => node.libp2p.getConnections().length > 0
  return {
    peers: providers.length,
    hasPeers: () => providers.length > 0 || isConnected(),
    isConnected,
    addresses: () => node.libp2p.getMultiaddrs().map(String),
    async *fetch(cid) {
      // Bitswap has no answer for "no peer has this block", so the wait ends by a timeout.
      const signal = AbortSignal.timeout(patience)
      const request = () => node.blockstore.get(cid, { providers, signal })
      const reminder = setInterval(() => void drain(request()), requestAgainAfter)
      try {
        yield* request()
      } finally {
        clearInterval(reminder)
      }
    },
    async exchangeCopies(holder) {
      const copying = providers.map((address) => peerAt(node.libp2p, address, patience))
      await serveCopies(node.libp2p, holder, new Set(copying.map(({ id }) => id)))
      return copying
    },
    onConnect: (callback) => node.libp2p.addEventListener('peer:connect', callback),
  }
}

function requireAddresses(name: string, addresses: readonly string[]): void {
  for (const address of addresses) {
    try {
      multiaddr(address)
    } catch (cause) {
      const problem = `holds ${address}, which is no multiaddr such as /ip4/192.0.2.1/tcp/4001`
      throw new Failure('config/invalid', { name, problem }, { cause })
    }
  }
}

function notListening(listen: readonly string[], cause: unknown): Failure<'config/invalid'> {
  const problem = `names ${listen.join(', ')}, where this machine cannot listen; name an address that it has, and a port that is free`
  return new Failure('config/invalid', { name: 'IPFS_LISTEN', problem }, { cause })
}

/**
 * The time after which a block is requested again, in milliseconds. Helia sends a peer that has just
 * connected the blocks that were wanted before, and drops those wanted meanwhile.
 */
const requestAgainAfter = 1_000

async function drain(answer: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of answer);
  } catch {
    // The first request has the same failure.
  }
}

/** Returns the stored seed of the peer id, which is part of the addresses that others configure. */
async function readOrCreateSeed(folder: string): Promise<Uint8Array> {
  const path = join(folder, 'peer-seed')
  const seed = randomBytes(32)
  await writeFile(path, seed, { flag: 'wx', mode: 0o600 }).catch(ignoreExisting)
  return readFile(path)
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
