import { createServer } from 'node:http'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'

/** A call to a node. */
export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** Returns what a node answers instead of the truth, which it may change, or a promise of it. */
export type Lie = (call: RpcCall, truth: never) => unknown

/** The error with which a node refuses a call. */
export type RpcRefusal = {
  readonly code: number
  readonly message: string
  readonly data?: string
}

/** A proxy between clients and a node that lies. */
export type LyingProxy = {
  readonly url: URL
  /** The calls that reached it; the calls of one request share an array. */
  readonly requests: RpcCall[][]
  /** The times of these requests, in milliseconds of the process. */
  readonly times: number[]
  /** Sets the lie for all later calls; without one it tells the truth. */
  lie(next?: Lie): void
  /** Sets the calls that it refuses from now on, which do not reach the node; without one, none. */
  refuse(next?: (call: RpcCall) => RpcRefusal | undefined): void
  close(): Promise<void>
}

type Reply = { readonly result?: unknown }

/** Starts a proxy on a free loopback port. */
export async function startLyingProxy(node: URL): Promise<LyingProxy> {
  let lie: Lie = (_call, truth) => truth
  let refusalOf: (call: RpcCall) => RpcRefusal | undefined = () => undefined
  const requests: RpcCall[][] = []
  const times: number[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const sent = JSON.parse(body)
    requests.push(Array.isArray(sent) ? sent : [sent])
    times.push(performance.now())
    const headers = { 'content-type': 'application/json' }
    const refusal = Array.isArray(sent) ? undefined : refusalOf({ params: [], ...sent })
    if (refusal !== undefined) {
      response.writeHead(200, headers).end(JSON.stringify({ id: sent.id, error: refusal }))
      return
    }
    const text = await (await fetch(node, { method: 'POST', headers, body })).text()
    const replies: Reply | Reply[] = JSON.parse(text)
    const answerTo = async (call: RpcCall & { readonly id?: number }, reply: Reply = {}) => {
      const error = refusalOf({ ...call, params: call.params ?? [] })
      if (error !== undefined) return { id: call.id, error }
      return 'result' in reply
        ? { ...reply, result: await lie(call, reply.result as never) }
        : reply
    }
    const answer = Array.isArray(replies)
      ? await Promise.all(replies.map((reply, index) => answerTo(sent[index], reply)))
      : await answerTo(sent, replies)
    response.writeHead(200, headers).end(JSON.stringify(answer))
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    url: new URL(url),
    requests,
    times,
    lie: (next = (_call, truth) => truth) => {
      lie = next
    },
    refuse: (next = () => undefined) => {
      refusalOf = next
    },
    close,
  }
}
