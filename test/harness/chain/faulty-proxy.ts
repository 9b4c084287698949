import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'

/** What can go wrong between a client and a node. */
export const faults = [
  'answer dropped after delivery',
  'request dropped before delivery',
  'delivered twice',
  'answered late',
  '429',
  '500',
  'garbage',
  'already known',
  'nonce too low',
  'underpriced',
] as const
export type Fault = (typeof faults)[number]

/** Decides about a call; `undefined` lets it through unharmed. */
export type Mischief = (method: string) => Fault | undefined

/** A server between a client and a node. */
export type FaultyProxy = {
  readonly url: URL
  /** How often each fault was made. */
  readonly made: ReadonlyMap<Fault, number>
  /** Decides from now on what goes wrong. */
  arrange(mischief: Mischief): void
  close(): Promise<void>
}

/** Starts a proxy on a free loopback port. */
export async function startProxy(node: URL): Promise<FaultyProxy> {
  let mischief: Mischief = () => undefined
  const made = new Map<Fault, number>()
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const { id, method } = JSON.parse(body)
    const fault = mischief(method)
    if (fault !== undefined) made.set(fault, (made.get(fault) ?? 0) + 1)
    await acts[fault ?? 'none']({ node, body, id, response })
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    url: new URL(url),
    made,
    arrange: (next) => {
      mischief = next
    },
    close,
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

type Scene = {
  readonly node: URL
  readonly body: string
  readonly id: unknown
  readonly response: ServerResponse
}

async function forward({ node, body }: Scene): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(node, { method: 'POST', headers, body })).text()
}

function answer({ response }: Scene, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(text)
}

const refusing = (message: string) => async (scene: Scene) => {
  await forward(scene)
  const error = { code: -32_000, message }
  answer(scene, JSON.stringify({ jsonrpc: '2.0', id: scene.id, error }))
}

/** Longer than the interval at which a chain is looked at. */
const delay = 150

const acts: { readonly [fault in Fault | 'none']: (scene: Scene) => Promise<void> } = {
  none: async (scene) => answer(scene, await forward(scene)),
  'answer dropped after delivery': async (scene) => {
    await forward(scene)
    scene.response.destroy()
  },
  'request dropped before delivery': async ({ response }) => {
    response.destroy()
  },
  'delivered twice': async (scene) => {
    await forward(scene)
    answer(scene, await forward(scene))
  },
  'answered late': async (scene) => {
    const text = await forward(scene)
    await new Promise((resolve) => setTimeout(resolve, delay))
    answer(scene, text)
  },
  429: async (scene) => answer(scene, 'slow down', 429),
  500: async (scene) => answer(scene, 'oops', 500),
  garbage: async (scene) => answer(scene, '<html>\u0000'),
  // The node took the call, and says what a node may say of one that it has.
  'already known': refusing('already known'),
  'nonce too low': refusing('nonce too low'),
  underpriced: refusing('replacement transaction underpriced'),
}
