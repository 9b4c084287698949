import type { Libp2p, Stream } from '@libp2p/interface'
import { lpStream } from '@libp2p/utils'
import type { Multiaddr } from '@multiformats/multiaddr'
import {
  type CopyRequest,
  copyProtocol,
  encodeRequest,
  longestMessage,
  type Peer,
} from './copy-messages.ts'
import { answerCopyRequest, type CopyHolder } from './serve-copies.ts'

const limits = { maxDataLength: longestMessage, maxBufferSize: 2 * longestMessage }

/** The connections of a node, as the exchange of copies needs them. */
type Node = Pick<Libp2p, 'dialProtocol' | 'handle'>

/** Returns the node at an address, which ends with its peer id. */
export function peerAt(node: Node, address: Multiaddr, patience: number): Peer {
  return {
    id: peerIdIn(address),
    ask: async (requests) => {
      const signal = AbortSignal.timeout(patience)
      // The connection proves the peer id that the address ends with.
      const stream = await node.dialProtocol(address, copyProtocol, { signal })
      try {
        const responses = await converse(stream, requests, signal)
        await stream.close({ signal })
        return responses
      } catch (error) {
        stream.abort(error instanceof Error ? error : new Error('The exchange failed.'))
        throw error
      }
    },
  }
}

async function converse(
  stream: Stream,
  requests: AsyncIterable<CopyRequest> | Iterable<CopyRequest>,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const messages = lpStream(stream, limits)
  const responses: Uint8Array[] = []
  for await (const request of requests) {
    await messages.write(encodeRequest(request), { signal })
    responses.push((await messages.read({ signal })).subarray())
  }
  return responses
}

/** Returns the peer id at the end of an address. @throws if there is none */
export function peerIdIn(address: Multiaddr): string {
  const last = address.getComponents().findLast(({ name }) => name === 'p2p')
  if (last?.value === undefined) throw new Error('The address does not end with a peer id.')
  return last.value
}

/** The exchanges that one connection may have open at the same time. */
const widest = 32

/** The longest that a peer may wait between two requests, in milliseconds. */
const idleLimit = 30_000

/** Answers the requests of configured peers, and of nobody else. */
export async function serveCopies(
  node: Node,
  holder: CopyHolder,
  peers: ReadonlySet<string>,
): Promise<void> {
  const answer = (peer: string, message: Uint8Array) => answerCopyRequest(holder, peer, message)
  await node.handle(
    copyProtocol,
    async (stream, { remotePeer }) => {
      const peer = remotePeer.toString()
      if (!peers.has(peer)) return stream.abort(new Error('The peer is not configured.'))
      await answerAll(stream, (message) => answer(peer, message))
    },
    { maxInboundStreams: widest },
  )
}

async function answerAll(
  stream: Stream,
  answer: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<void> {
  const messages = lpStream(stream, limits)
  try {
    for (;;) {
      const message = await messages.read({ signal: AbortSignal.timeout(idleLimit) })
      await messages.write(await answer(message.subarray()), {
        signal: AbortSignal.timeout(idleLimit),
      })
    }
  } catch (error) {
    // The end of the stream is one of these; the asking node counts no copy for any of them.
    stream.abort(error instanceof Error ? error : new Error('The exchange failed.'))
  }
}
