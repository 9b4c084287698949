import { following, type Shown } from './event-history.ts'

/** What a client that listens knows, and where it goes on. */
export type Listener = { known: readonly Shown[]; lastId: string | undefined; heard: number }

/** Returns a client that has heard nothing yet. */
export const newListener = (): Listener => ({ known: [], lastId: undefined, heard: 0 })

/**
 * Listens from where a client left off until `enough` says so or the stream ends, as a browser
 * would: what comes after the last blank line is not heard.
 */
export async function listen(
  url: string,
  listener: Listener,
  enough: (listener: Listener) => boolean,
): Promise<void> {
  const gone = new AbortController()
  const headers = listener.lastId === undefined ? {} : { 'last-event-id': listener.lastId }
  const response = await fetch(url, { headers, signal: gone.signal })
  if (response.status !== 200) throw new Error(`The stream answered ${response.status}.`)
  try {
    for await (const block of blocksOf(response)) {
      hear(listener, block)
      if (enough(listener)) return
    }
  } finally {
    gone.abort()
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

function hear(listener: Listener, block: string): void {
  const lines = block.split('\n').map((line) => line.split(/: ?(.*)/s, 2))
  const fields = new Map(lines.map(([name = '', value = '']) => [name, value]))
  const [data, id] = [fields.get('data'), fields.get('id')]
  if (id !== undefined) listener.lastId = id
  if (data === undefined) return
  const told = { kind: fields.get('event'), ...JSON.parse(data) } as Shown
  listener.known = following(listener.known, told)
  listener.heard += 1
}
