import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes every connection whose client has taken in nothing for so many milliseconds although
 * something waits for it. Who takes in a little at a time gets all of it.
 */
export function slowReaders(server: Server, patience: number): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const look = () => {
    for (const socket of sockets) watch(socket, patience)
  }
  const looking = setInterval(look, patience / 2).unref()
  server.once('close', () => clearInterval(looking))
}

// The timeout of a socket counts from the last byte that the system took, also within one write,
// which nothing else here can see. Node sets its own once the reply is finished.
function watch(socket: Socket, patience: number): void {
  const waits = socket.writableLength > 0
  if (waits && socket.timeout !== patience) socket.setTimeout(patience)
  if (!waits && socket.timeout === patience) socket.setTimeout(0)
}
