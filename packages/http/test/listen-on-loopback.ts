import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that listens, until it is closed with all its connections. */
export type OnLoopback = { readonly url: string; readonly close: () => Promise<void> }

/** Lets a server listen on a free loopback port. */
export async function onLoopback(server: Server): Promise<OnLoopback> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
