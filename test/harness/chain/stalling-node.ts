import { createServer } from 'node:http'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'

export declare namespace startStallingNode {
  type Options = {
    /** Returns whether a request counts, when it arrives. */
    readonly counts: () => boolean
  }
}

/** A proxy between a client and a node that falls silent. */
export type StallingNode = {
  readonly url: URL
  /**
   * Answers so many more requests that count, and none after them. Returns a promise that resolves when
   * one stays without an answer.
   */
  stallAfter(count: number): Promise<void>
  /** Answers all later requests. */
  recover(): void
  close(): Promise<void>
}

/** Starts a proxy that answers all requests on a free loopback port. */
export async function startStallingNode(
  node: URL,
  { counts }: startStallingNode.Options,
): Promise<StallingNode> {
  let left = Number.POSITIVE_INFINITY
  let onStall: () => void = () => undefined
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    if (counts() && left-- <= 0) return onStall()
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(node, { method: 'POST', headers, body })
    response.writeHead(reply.status, headers).end(await reply.text())
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    url: new URL(url),
    stallAfter: (count) => {
      left = count
      return new Promise((resolve) => {
        onStall = resolve
      })
    },
    recover: () => {
      left = Number.POSITIVE_INFINITY
    },
    close,
  }
}
