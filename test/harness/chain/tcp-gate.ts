import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut, as a network is: nobody is told. */
export type TcpGate = {
  readonly port: number
  /**
   * Ends all connections towards the server, and leaves the clients in silence: what they send is
   * taken and forgotten, also on connections made later.
   */
  cut(): void
  /** Lets new connections through again; those that were cut stay silent. */
  open(): void
  close(): Promise<void>
}

/** Opens a gate on a free loopback port to another one. */
export async function openGate(target: number): Promise<TcpGate> {
  let isCut = false
  const clients = new Set<Socket>()
  const ways = new Set<() => void>()
  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => undefined)
    client.on('close', () => clients.delete(client))
    if (isCut) client.resume()
    else join(client, { target, ways })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    cut: () => {
      isCut = true
      for (const cutOne of ways) cutOne()
      ways.clear()
    },
    open: () => {
      isCut = false
    },
    close: async () => {
      for (const client of clients) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

type Way = { readonly target: number; readonly ways: Set<() => void> }

/** Forwards both ways until one side ends, or the way is cut. */
function join(client: Socket, { target, ways }: Way): void {
  const upstream = connect(target, '127.0.0.1')
  const endClient = () => client.destroy()
  const cutOne = () => {
    upstream.off('close', endClient)
    upstream.destroy()
  }
  ways.add(cutOne)
  upstream.on('error', () => undefined)
  upstream.on('close', endClient)
  upstream.on('data', (chunk) => client.write(chunk))
  client.on('data', (chunk) => upstream.write(chunk))
  client.on('close', () => {
    ways.delete(cutOne)
    upstream.destroy()
  })
}
