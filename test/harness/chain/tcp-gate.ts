import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy to a server that can be cut silently, as a network can. */
export type TcpGate = {
  readonly port: number
  /**
   * Closes all connections to the server, and leaves the clients without an answer: what they send is
   * read and dropped, also on later connections.
   */
  cut(): void
  /** Forwards new connections again; those that were cut stay silent. */
  open(): void
  close(): Promise<void>
}

/** Opens a gate on a free loopback port to a target port. */
export async function openGate(target: number): Promise<TcpGate> {
  let isCut = false
  const clients = new Set<Socket>()
  const connections = new Set<() => void>()
  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => undefined)
    client.on('close', () => clients.delete(client))
    if (isCut) client.resume()
    else join(client, { target, connections })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    cut: () => {
      isCut = true
      for (const cutConnection of connections) cutConnection()
      connections.clear()
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

type Target = { readonly target: number; readonly connections: Set<() => void> }

/** Forwards in both directions until one side ends, or the connection is cut. */
function join(client: Socket, { target, connections }: Target): void {
  const upstream = connect(target, '127.0.0.1')
  const endClient = () => client.destroy()
  const cutConnection = () => {
    upstream.off('close', endClient)
    upstream.destroy()
  }
  connections.add(cutConnection)
  upstream.on('error', () => undefined)
  upstream.on('close', endClient)
  upstream.on('data', (chunk) => client.write(chunk))
  client.on('data', (chunk) => upstream.write(chunk))
  client.on('close', () => {
    connections.delete(cutConnection)
    upstream.destroy()
  })
}
