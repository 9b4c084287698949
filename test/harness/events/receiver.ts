import { createHmac, timingSafeEqual } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'
import { applySentEvent, type SentEvent } from './event-history.ts'

/** The reaction of a receiver to a message. */
export type Behaviour =
  | 'take'
  | 'fail'
  | 'redirect'
  | 'drop'
  | 'hang'
  | 'chatter'
  | 'trickle'
  | 'switch'

/** A received message: whether its signature is valid, and whether it was accepted. */
export type Received = SentEvent & { readonly signed: boolean; readonly accepted: boolean }

/** A receiver of webhooks. */
export type Receiver = {
  readonly url: string
  /** Every message whose body arrived, in order. */
  readonly received: readonly Received[]
  /** The secret that verifies signatures. */
  secret: string
  /** Resolves once a condition on the received messages is true. */
  readonly until: (isTrue: () => boolean) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a receiver that shows one behaviour per message, and then accepts everything. */
export async function openReceiver(behaviours: readonly Behaviour[] = []): Promise<Receiver> {
  const received: Received[] = []
  const events = new EventEmitter()
  const remaining = [...behaviours]
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const behaviour = remaining.shift() ?? 'take'
    const signed = isSigned(request, body, receiver.secret)
    const accepted = ['take', 'chatter', 'trickle'].includes(behaviour)
    received.push({ ...JSON.parse(body), signed, accepted })
    answer(response, behaviour)
    events.emit('received')
  })
  const { url, close } = await listenOnLoopback(server)
  const receiver: Receiver = {
    url: `${url}/hook`,
    received,
    secret: '',
    until: async (isTrue) => {
      while (!isTrue()) await once(events, 'received')
    },
    close,
  }
  return receiver
}

/** Returns the events that a receiver knows; a message accepted twice in a row counts once. */
export function acceptedEvents({ received }: Receiver): readonly SentEvent[] {
  const accepted = received.filter((it) => it.accepted)
  const distinct = accepted.filter(({ id }, index) => id !== accepted[index - 1]?.id)
  return distinct.reduce(applySentEvent, [] as readonly SentEvent[])
}

function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const message = `${headers['x-heirloom-timestamp']}.${body}`
  const expected = `sha256=${createHmac('sha256', secret).update(message).digest('hex')}`
  const actual = `${headers['x-heirloom-signature']}`
  const hasId = headers['x-heirloom-event-id'] === JSON.parse(body).id
  return hasId && actual.length === expected.length && areEqual(actual, expected)
}

const areEqual = (one: string, other: string) =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other))

function answer(response: ServerResponse, behaviour: Behaviour): void {
  switch (behaviour) {
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
