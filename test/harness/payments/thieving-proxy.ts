import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'

/** The faults of a proxy, beside passing a request on. */
export const proxyFaults = [
  'drop-request',
  'drop-reply',
  'replay',
  'use-early',
  'use-late',
] as const
export type ProxyFault = (typeof proxyFaults)[number]

/** A proxy before a server, which loses replies, repeats requests, and uses the payments in them. */
export type ThievingProxy = {
  readonly url: string
  /** The number of times that it made each fault. */
  readonly made: ReadonlyMap<ProxyFault, number>
  /** Every payment that it saw. */
  readonly seen: readonly string[]
  readonly close: () => Promise<void>
}

export declare namespace startThievingProxy {
  type Parts = {
    /** Returns the address of the server, which changes when it starts again. */
    readonly target: () => string
    readonly nextFault: () => ProxyFault | undefined
    /** Uses a payment directly on the chain. */
    readonly use: (header: string) => Promise<void>
  }
}

/** Starts a proxy on loopback. */
export async function startThievingProxy(parts: startThievingProxy.Parts): Promise<ThievingProxy> {
  const made = new Map<ProxyFault, number>()
  const seen: string[] = []
  const server = createServer((request, response) => {
    const header = request.headers['payment-signature']
    const fault = parts.nextFault()
    if (fault !== undefined) made.set(fault, (made.get(fault) ?? 0) + 1)
    if (typeof header === 'string') seen.push(header)
    passOn({ ...parts, request, response, fault }).catch(() => response.destroy())
  })
  const { url, close } = await listenOnLoopback(server)
  return { url, made, seen, close }
}

type Passing = startThievingProxy.Parts & {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly fault: ProxyFault | undefined
}

async function passOn({ target, use, request, response, fault }: Passing): Promise<void> {
  const header = request.headers['payment-signature']
  const useIf = async (at: ProxyFault) => {
    if (fault === at && typeof header === 'string') await use(header).catch(() => undefined)
  }
  if (fault === 'drop-request') return void response.destroy()
  await buffer(request)
  await useIf('use-early')
  const names = [
    'payment-signature',
    'x-wallet-address',
    'x-wallet-signature',
    'x-wallet-timestamp',
  ]
  const headers = names.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as [string, string]] : []
  })
  const send = () => fetch(`${target()}${request.url}`, { headers })
  const replies = await Promise.all(fault === 'replay' ? [send(), send()] : [send()])
  const bodies = await Promise.all(replies.map((it) => it.arrayBuffer()))
  await useIf('use-late')
  const [reply, body] = [replies[0], bodies[0]]
  if (reply === undefined || body === undefined || fault === 'drop-reply') {
    return void response.destroy()
  }
  const back = [...reply.headers].filter(([name]) => /^(payment|x-content|content-type)/.test(name))
  response.writeHead(reply.status, Object.fromEntries(back)).end(Buffer.from(body))
}
