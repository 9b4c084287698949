import type { ServerResponse } from 'node:http'
import { Failure } from '@heirloom/core'
import { inFlight } from '../bounds/in-flight.ts'

/** The streams that a server keeps open. */
export type OpenStreams = {
  /**
   * Returns what ends one more stream of a client.
   *
   * @throws `request/too-many`, `service/busy`, `service/stopping`
   */
  readonly open: (client: string) => OpenStream
  /** Ends all of them, and cuts off who does not take in the end. */
  readonly endAll: () => void
}

export type OpenStream = {
  readonly stop: AbortSignal
  /** Watches over the response that carries it. */
  readonly carriedBy: (response: ServerResponse) => void
  /** Gives its place away. */
  readonly close: () => void
}

export declare namespace openStreams {
  type Options = {
    readonly most?: number
    /** How many of them one client may have; 0 for any. */
    readonly mostPerClient?: number
    /** How long a reader may take in nothing of what waits for it, in milliseconds. */
    readonly patience?: number
    /** How long the last bytes may take once all is to end, in milliseconds. */
    readonly farewell?: number
    /** Told how many streams are open whenever that changes. */
    readonly observe?: (open: number) => void
  }
}

/** Returns a bounded number of places for streams. */
export function openStreams({
  most = 1000,
  mostPerClient = 0,
  patience = 30_000,
  farewell = 1000,
  observe = () => undefined,
}: openStreams.Options = {}): OpenStreams {
  const streams = new Set<AbortController>()
  const flight = inFlight({ most, mostPerClient, what: 'streams of events at once' })
  let ending = false
  const close = (stream: AbortController) => {
    if (streams.delete(stream)) observe(streams.size)
    stream.abort()
  }
  const open = (client: string): OpenStream => {
    if (ending) throw new Failure('service/stopping', {})
    const leave = flight.enter(client, 1)
    const stream = new AbortController()
    stream.signal.addEventListener('abort', leave)
    streams.add(stream)
    observe(streams.size)
    return {
      stop: stream.signal,
      close: () => close(stream),
      carriedBy: (response) => {
        const watch = cuttingOff(response, patience)
        const cut = () => setTimeout(() => response.destroy(), farewell).unref()
        stream.signal.addEventListener('abort', cut)
        response.once('close', () => {
          clearInterval(watch)
          stream.signal.removeEventListener('abort', cut)
          close(stream)
        })
      },
    }
  }
  return {
    open,
    endAll: () => {
      ending = true
      for (const stream of streams) stream.abort()
    },
  }
}

/** Ends a response whose reader has taken in nothing for a while although something waits. */
function cuttingOff(response: ServerResponse, patience: number): NodeJS.Timeout {
  let waiting = 0
  return setInterval(() => {
    const { writableLength, writableNeedDrain } = response
    if (writableNeedDrain && writableLength === waiting) response.destroy()
    waiting = writableNeedDrain ? writableLength : 0
  }, patience).unref()
}
