import type { ServerResponse } from 'node:http'
import { Failure } from '@heirloom/core'
import { closeWhenStalled } from '../bounds/close-slow-readers.ts'
import { inFlight } from '../bounds/in-flight.ts'

/** The open event streams of a server. */
export type OpenStreams = {
  /**
   * Opens a stream for a client.
   *
   * @throws `request/too-many`, `service/busy`, `service/stopping`
   */
  readonly open: (client: string) => OpenStream
  /** Ends all streams, and closes the connection of each reader that does not read the end. */
  readonly endAll: () => void
}

export type OpenStream = {
  readonly stop: AbortSignal
  /** Attaches the response that carries the stream, and closes it if its reader stalls. */
  readonly attach: (response: ServerResponse) => void
  /** Ends the stream and frees its place. */
  readonly close: () => void
}

export declare namespace openStreams {
  type Options = {
    readonly most?: number
    /** The limit for each client; 0 for no limit. */
    readonly maxPerClient?: number
    /** The longest time that a reader may read nothing although data waits, in milliseconds. */
    readonly patience?: number
    /** The time that a reader has for the last bytes when the stream ends, in milliseconds. */
    readonly endTimeout?: number
    /** Observes the number of open streams whenever it changes. */
    readonly observe?: (open: number) => void
  }
}

/** Returns a bounded set of open streams. */
export function openStreams({
  most = 1000,
  maxPerClient = 0,
  patience = 30_000,
  endTimeout = 1000,
  observe = () => undefined,
}: openStreams.Options = {}): OpenStreams {
  const streams = new Set<AbortController>()
  const flight = inFlight({ max: most, maxPerClient, what: 'streams of events at once' })
  let ending = false
  const close = (stream: AbortController) => {
    if (streams.delete(stream)) observe(streams.size)
    stream.abort()
  }
  const open = (client: string): OpenStream => {
    if (ending) throw new Failure('service/stopping', {})
    const release = flight.enter(client, 1)
    const stream = new AbortController()
    stream.signal.addEventListener('abort', release)
    streams.add(stream)
    observe(streams.size)
    return {
      stop: stream.signal,
      close: () => close(stream),
      attach: (response) => {
        const unwatch = response.socket ? closeWhenStalled(response.socket, patience) : undefined
        const endSoon = () => setTimeout(() => response.destroy(), endTimeout).unref()
        stream.signal.addEventListener('abort', endSoon)
        response.once('close', () => {
          unwatch?.()
          stream.signal.removeEventListener('abort', endSoon)
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
