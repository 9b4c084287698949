import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a free loopback port, for a server that must know its port before it starts, or that has it
 * again later. It is below those that the system gives to whoever names none, so nobody takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 30_000)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
