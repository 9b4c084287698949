import { applySentEvent, type SentEvent } from './event-history.ts'

/** The events that a client of the event stream knows, and where it resumes. */
export type Subscriber = {
  known: readonly SentEvent[]
  lastId: string | undefined
  /** The number of received events. */
  received: number
}

/** Returns a client that has received nothing yet. */
export const newSubscriber = (): Subscriber => ({ known: [], lastId: undefined, received: 0 })

/**
 * Receives events from where a client stopped, until `isDone` or the stream ends. Like a browser it
 * ignores text after the last blank line.
 */
export async function subscribe(
  url: string,
  subscriber: Subscriber,
  isDone: (subscriber: Subscriber) => boolean,
): Promise<void> {
  const disconnect = new AbortController()
  const headers = subscriber.lastId === undefined ? {} : { 'last-event-id': subscriber.lastId }
  const response = await fetch(url, { headers, signal: disconnect.signal })
  if (response.status !== 200) throw new Error(`The stream answered ${response.status}.`)
  try {
    for await (const block of blocksOf(response)) {
      receive(subscriber, block)
      if (isDone(subscriber)) return
    }
  } finally {
    disconnect.abort()
  }
}

async function* blocksOf({ body }: Response): AsyncGenerator<string> {
  let rest = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = `${rest}${part}`.split('\n\n')
    rest = blocks.pop() ?? ''
    yield* blocks
  }
}

function receive(subscriber: Subscriber, block: string): void {
  const lines = block.split('\n').map((line) => line.split(/: ?(.*)/s, 2))
  const fields = new Map(lines.map(([name = '', value = '']) => [name, value]))
  const [data, id] = [fields.get('data'), fields.get('id')]
  if (id !== undefined) subscriber.lastId = id
  if (data === undefined) return
  const sent = { kind: fields.get('event'), ...JSON.parse(data) } as SentEvent
  subscriber.known = applySentEvent(subscriber.known, sent)
  subscriber.received += 1
}
