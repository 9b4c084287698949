import type { Server } from 'node:http'
import { networkOf } from '../request/client-of.ts'

export declare namespace boundConnections {
  type Options = {
    /** The largest number of connections; 0 for no limit. */
    readonly max: number
    /** The largest number from one network; 0 for no limit. */
    readonly maxPerClient: number
  }
}

/** Closes each new connection beyond the limit of the server or of its network. */
export function boundConnections(
  server: Server,
  { max, maxPerClient }: boundConnections.Options,
): void {
  if (max > 0) server.maxConnections = max
  if (maxPerClient === 0) return
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
    if (count > maxPerClient) socket.destroy()
  })
}
