import { createHmac, timingSafeEqual } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'
import { following, type Shown } from './event-history.ts'

/** What a receiver does with a message. */
export type Manner =
  | 'take'
  | 'fail'
  | 'redirect'
  | 'drop'
  | 'hang'
  | 'chatter'
  | 'trickle'
  | 'switch'

/** A message as it arrived. */
export type Received = Shown & { readonly signed: boolean; readonly taken: boolean }

/** A receiver of webhooks. */
export type Receiver = {
  readonly url: string
  /** Every message whose body arrived, in order. */
  readonly received: readonly Received[]
  /** What checks signatures. */
  secret: string
  /** Resolves once a claim about what arrived is true. */
  readonly until: (isSo: () => boolean) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a receiver that behaves in these ways, one message each, and then takes everything. */
export async function openReceiver(manners: readonly Manner[] = []): Promise<Receiver> {
  const received: Received[] = []
  const events = new EventEmitter()
  const left = [...manners]
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const manner = left.shift() ?? 'take'
    const signed = isSigned(request, body, receiver.secret)
    const taken = ['take', 'chatter', 'trickle'].includes(manner)
    received.push({ ...JSON.parse(body), signed, taken })
    answer(response, manner)
    events.emit('received')
  })
  const { url, close } = await listenOnLoopback(server)
  const receiver: Receiver = {
    url: `${url}/hook`,
    received,
    secret: '',
    until: async (isSo) => {
      while (!isSo()) await once(events, 'received')
    },
    close,
  }
  return receiver
}

/** Returns what a receiver knows after all it took; what it took twice in a row counts once. */
export function knownTo({ received }: Receiver): readonly Shown[] {
  const taken = received.filter((it) => it.taken)
  const news = taken.filter(({ id }, at) => id !== taken[at - 1]?.id)
  return news.reduce(following, [] as readonly Shown[])
}

function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const message = `${headers['x-heirloom-timestamp']}.${body}`
  const expected = `sha256=${createHmac('sha256', secret).update(message).digest('hex')}`
  const given = `${headers['x-heirloom-signature']}`
  const named = headers['x-heirloom-event-id'] === JSON.parse(body).id
  return named && given.length === expected.length && equal(given, expected)
}

const equal = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other))

function answer(response: ServerResponse, manner: Manner): void {
  switch (manner) {
    case 'take':
      response.writeHead(204).end()
      break
    case 'fail':
      response.writeHead(500).end('{"secret":"of the receiver"}')
      break
    case 'redirect':
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
      break
    case 'drop':
      response.destroy()
      break
    case 'chatter':
      response.writeHead(200).end('x'.repeat(1 << 20))
      break
    case 'trickle':
      response.writeHead(200).write('never ends')
      break
    case 'switch':
      response.writeHead(101, { connection: 'upgrade', upgrade: 'another' }).end()
      break
    case 'hang':
      break
  }
}
