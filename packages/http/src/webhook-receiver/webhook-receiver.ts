import type { StreamEvent } from '../client/responses.ts'
import {
  type NodeReply,
  type NodeRequest,
  readNodeBody,
  readWebBody,
  sendAnswer,
} from './node-messages.ts'
import { type Delivery, Refusal, verifyDelivery } from './verify-delivery.ts'

/**
 * The ids of events that were handled. Put them into the database that an event is written to, in one
 * transaction with it, for receivers that are restarted or that are several.
 */
export type HandledEvents = {
  readonly has: (id: string) => boolean | Promise<boolean>
  readonly add: (id: string) => void | Promise<void>
  /** Forgets the events from a block on, which a reorganisation made void. */
  readonly removeFrom: (block: bigint) => void | Promise<void>
}

/** Returns a memory of the last events of this process. */
function lastEvents(most = 10_000): HandledEvents {
  const ids = new Set<string>()
  return {
    has: (id) => ids.has(id),
    add: (id) => {
      ids.add(id)
      const [oldest] = ids
      if (ids.size > most && oldest !== undefined) ids.delete(oldest)
    },
    removeFrom: (block) => {
      for (const id of ids) if (blockOf(id) >= block) ids.delete(id)
    },
  }
}

/** Returns the block of an event, with which its id begins. */
const blockOf = (id: string): bigint => BigInt(/^\d+/.exec(id)?.[0] ?? 0)

/** The options of a receiver. */
export type ReceiverOptions = {
  /** The secret of the webhook; several while one replaces another, or for several webhooks. */
  readonly secret: string | readonly string[]
  /** Handles an event. Until it has, the server sends the event again. */
  readonly onEvent: (event: StreamEvent) => void | Promise<void>
  /** The seconds after which a signature counts no more; 300 when absent. */
  readonly tolerance?: number | undefined
  /** The most bytes of a body; 1 MiB when absent. */
  readonly maxBytes?: number | undefined
  /** The events that were handled; the last 10,000 of this process when absent. */
  readonly handled?: HandledEvents | undefined
  /** Called with what `onEvent` throws. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Returns the time in milliseconds since the Unix epoch; that of the platform when absent. */
  readonly now?: (() => number) | undefined
}

/** A scope of Fastify, as far as it is used. */
export type FastifyScope = {
  readonly removeAllContentTypeParsers: () => unknown
  readonly addContentTypeParser: (
    type: '*',
    options: { readonly parseAs: 'buffer'; readonly bodyLimit: number },
    parse: (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void,
  ) => unknown
  readonly post: (
    url: string,
    handle: (
      request: { readonly headers: Delivery['headers']; readonly body: unknown },
      reply: FastifyAnswer,
    ) => Promise<unknown>,
  ) => unknown
}

type FastifyAnswer = {
  readonly code: (status: number) => { readonly send: (body: string) => unknown }
}

/** Receives the deliveries of a webhook: each event once, and only what the secret signed lately. */
export type WebhookReceiver = {
  /** Receives a delivery whose body was read, and returns the status and the text of the answer. */
  readonly receive: (delivery: Delivery) => Promise<{ status: number; text: string }>
  /** Answers a web request, as in Hono, Next.js, Deno, Bun and workers. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Answers a request of `node:http`, Express or Connect, whose body nothing has parsed before. */
  readonly node: (request: NodeRequest, reply: NodeReply) => Promise<void>
  /** A plugin of Fastify, with a parser of its own: `app.register(receiver.fastify, { url })`. */
  readonly fastify: (scope: FastifyScope, options: { readonly url: string }) => Promise<void>
}

/** Creates a receiver of webhooks. It verifies a signature over the bytes that came. */
export function createWebhookReceiver(options: ReceiverOptions): WebhookReceiver {
  const { maxBytes = 2 ** 20, onError } = options
  const handle = createHandle(options)
  const receive: WebhookReceiver['receive'] = async (delivery) => {
    try {
      return { status: 200, text: await handle(delivery) }
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, text: error.message }
      onError?.(error)
      return { status: 500, text: 'The event was not handled.' }
    }
  }
  const answer = async (read: () => Promise<Delivery>) => {
    try {
      return await receive(await read())
    } catch (error) {
      const { status = 400, message } = error as Partial<Refusal>
      return { status, text: `${message}` }
    }
  }
  return {
    receive,
    fetch: async (request) => {
      const { status, text } = await answer(() => readWebBody(request, maxBytes))
      return new Response(text, { status, headers: { 'content-type': 'text/plain' } })
    },
    node: async (request, reply) =>
      sendAnswer(reply, await answer(() => readNodeBody(request, maxBytes))),
    fastify: async (scope, { url }) => {
      scope.removeAllContentTypeParsers()
      const raw = { parseAs: 'buffer', bodyLimit: maxBytes } as const
      scope.addContentTypeParser('*', raw, (_, body, done) => done(null, body))
      scope.post(url, async ({ headers, body }, reply) => {
        const { status, text } = await receive({ headers, body: body as Uint8Array })
        return reply.code(status).send(text)
      })
    },
  }
}

function createHandle(options: ReceiverOptions) {
  // A program without types passes an environment variable that may not be set.
  const { secret = '', tolerance = 300, now = Date.now } = options as Partial<ReceiverOptions>
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.includes('')) {
    throw new TypeError(
      'secret is empty; give the secret that the server returned for the webhook.',
    )
  }
  /** The signatures that came while they count, with the time when they end. */
  const signatures = new Map<string, number>()
  const handleOnce = createHandleOnce(options)
  return async (delivery: Delivery): Promise<string> => {
    const { signature, ...signed } = signedIn(delivery)
    const at = now()
    await verifyDelivery({ ...signed, signature }, { secrets, tolerance, now: at })
    dropEnded(signatures, at)
    // The same bytes again: a copy of a delivery, which the server never makes itself.
    if (signatures.has(signature)) return 'It was received before.'
    const event = parseEvent(signed.body)
    signatures.set(signature, at + 2_000 * tolerance)
    try {
      return await handleOnce(event)
    } catch (error) {
      signatures.delete(signature)
      throw error
    }
  }
}

function dropEnded(signatures: Map<string, number>, at: number): void {
  for (const [signature, end] of signatures) if (end < at) signatures.delete(signature)
}

function signedIn({ headers, body }: Delivery) {
  const [timestamp = '', signature = ''] = ['timestamp', 'signature'].map((name) => {
    const value = headers[`x-heirloom-${name}`]
    return typeof value === 'string' ? value : ''
  })
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  return { timestamp, signature, body: bytes }
}

/** Creates a function that handles each event once, also when it comes again meanwhile. */
function createHandleOnce({ onEvent, handled = lastEvents() }: ReceiverOptions) {
  const running = new Map<string, Promise<string>>()
  const handle = async (event: StreamEvent): Promise<string> => {
    const isVoiding = event.kind === 'reorganised'
    if (!isVoiding && (await handled.has(event.id))) return 'It was handled before.'
    await onEvent(event)
    // What follows a reorganisation is sent again, with the same id where a block came back.
    if (isVoiding) await handled.removeFrom(BigInt(event.block))
    else await handled.add(event.id)
    return 'Handled.'
  }
  return (event: StreamEvent): Promise<string> => {
    const key = `${event.kind} ${event.id}`
    const work = running.get(key) ?? handle(event).finally(() => running.delete(key))
    running.set(key, work)
    return work
  }
}

/** Parses an event that the secret signed. @throws {Refusal} 400 */
function parseEvent(bytes: Uint8Array): StreamEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const { id, kind } = Object(event)
    if (typeof id === 'string' && typeof kind === 'string') return event as StreamEvent
  } catch {}
  throw new Refusal(400, 'It is no event.')
}
