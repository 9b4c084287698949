import type { Server } from 'node:http'
import { networkOf } from '../request/client-of.ts'

export declare namespace connectionBounds {
  type Options = {
    /** The most connections; 0 for any. */
    readonly most: number
    /** The most from one network; 0 for any. */
    readonly mostPerClient: number
  }
}

/** Closes connections beyond so many, and from one network beyond its share, as they come. */
export function connectionBounds(
  server: Server,
  { most, mostPerClient }: connectionBounds.Options,
): void {
  if (most > 0) server.maxConnections = most
  if (mostPerClient === 0) return
  const counts = new Map<string, number>()
  server.prependListener('connection', (socket) => {
    const network = networkOf(socket.remoteAddress)
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1
      if (left === 0) counts.delete(network)
      else counts.set(network, left)
    })
    if (count > mostPerClient) socket.destroy()
  })
}
