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
  /**
   * Passes nothing on any more, in neither direction, and closes nothing: neither side learns that
   * the other is out of reach, not even when that one closes its end.
   */
  stall(): void
  /** Forwards new connections again; those that were cut or stalled stay silent. */
  open(): void
  /** Closes all connections, and forwards new ones to another port. */
  retarget(port: number): void
  close(): Promise<void>
}

/** Opens a gate on a free port, of loopback by default, to a target port of loopback. */
export async function openGate(target: number, host = '127.0.0.1'): Promise<TcpGate> {
  const state: GateState = { target, mode: 'open', links: new Set(), sockets: new Set() }
  const server = createServer((client) => {
    keep(state, client)
    if (state.mode === 'open') join(state, client)
    else client.resume()
  }).listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const destroyAll = () => {
    for (const socket of state.sockets) socket.destroy()
  }
  return {
    port,
    cut: () => {
      state.mode = 'silent'
      forEachLink(state, ({ cut }) => cut())
    },
    stall: () => {
      state.mode = 'silent'
      forEachLink(state, ({ stall }) => stall())
    },
    open: () => {
      state.mode = 'open'
    },
    retarget: (other) => {
      state.target = other
      state.mode = 'open'
      destroyAll()
    },
    close: async () => {
      destroyAll()
      server.close()
      await once(server, 'close')
    },
  }
}

type GateState = {
  target: number
  mode: 'open' | 'silent'
  /** The connections that are forwarded. */
  readonly links: Set<Link>
  /** The sockets of both sides. */
  readonly sockets: Set<Socket>
}

type Link = { readonly cut: () => void; readonly stall: () => void }

function keep({ sockets }: GateState, socket: Socket): void {
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => sockets.delete(socket))
}

function forEachLink({ links }: GateState, act: (link: Link) => void): void {
  for (const link of links) act(link)
  links.clear()
}

/** Forwards in both directions until one side ends, or the connection is cut or stalled. */
function join(state: GateState, client: Socket): void {
  const upstream = connect(state.target, '127.0.0.1')
  keep(state, upstream)
  const endClient = () => client.destroy()
  const endUpstream = () => {
    state.links.delete(link)
    upstream.destroy()
  }
  const toClient = (chunk: Buffer) => void client.write(chunk)
  const toUpstream = (chunk: Buffer) => void upstream.write(chunk)
  const link: Link = {
    cut: () => {
      upstream.off('close', endClient)
      upstream.destroy()
    },
    stall: () => {
      upstream.off('close', endClient).off('data', toClient).resume()
      client.off('close', endUpstream).off('data', toUpstream).resume()
    },
  }
  state.links.add(link)
  upstream.on('close', endClient).on('data', toClient)
  client.on('close', endUpstream).on('data', toUpstream)
}
