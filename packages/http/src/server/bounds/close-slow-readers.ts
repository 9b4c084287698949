import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes every connection whose client has read nothing for `timeout` milliseconds although data
 * waits for it. A client that reads slowly, but steadily, gets everything.
 */
export function closeSlowReaders(server: Server, timeout: number): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const check = () => {
    for (const socket of sockets) setTimeoutWhileWaiting(socket, timeout)
  }
  const interval = setInterval(check, timeout / 2).unref()
  server.once('close', () => clearInterval(interval))
}

/** Closes one connection likewise, until it is closed or the returned function is called. */
export function closeWhenStalled(socket: Socket, timeout: number): () => void {
  const interval = setInterval(() => setTimeoutWhileWaiting(socket, timeout), timeout / 2).unref()
  const stop = () => clearInterval(interval)
  socket.once('close', stop)
  return stop
}

// The timeout of a socket counts from the last byte that the system accepted, also within one
// write, which no other measure shows. Node sets its own timeout once the reply is finished. Of two
// timeouts for one connection the shorter applies.
function setTimeoutWhileWaiting(socket: Socket, timeout: number): void {
  const current = socket.timeout || Number.POSITIVE_INFINITY
  const waits = socket.writableLength > 0
  if (waits && timeout < current) socket.setTimeout(timeout)
  if (!waits && current === timeout) socket.setTimeout(0)
}
