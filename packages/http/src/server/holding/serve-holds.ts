import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { socketOf } from './folder-socket.ts'

/** Keeps the files of the data folder complete and unchanged until the result is called. */
export type HoldFiles = () => Promise<() => void>

/** The longest time that a command may hold the files, in milliseconds: their logs grow meanwhile. */
const longestHold = 600_000

export declare namespace serveHolds {
  type Input = {
    /** A data folder that this process has locked. */
    readonly folder: string
    readonly hold: HoldFiles
    readonly onTrouble: (error: unknown) => void
  }
}

/**
 * Lets commands on this machine hold the files of a data folder, one after the other: a command
 * connects, reads `held`, copies the files, writes `done` and reads `released`. The files are released
 * as well when it ends in between. A folder whose file system has no sockets is only reported.
 */
export async function serveHolds({
  folder,
  hold,
  onTrouble,
}: serveHolds.Input): Promise<{ close(): Promise<void> }> {
  const socket = socketOf(folder)
  const open = new Set<Socket>()
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer((client) => {
    open.add(client)
    client.on('close', () => open.delete(client)).on('error', () => client.destroy())
    last = last.then(() => serveHold(client, hold)).catch(onTrouble)
  })
  const close = async () => {
    for (const client of open) client.destroy()
    await last
    await closeServer(server)
    socket.close()
  }
  try {
    // A killed server leaves its socket, and the folder is locked for this one.
    if (process.platform !== 'win32') rmSync(socket.path, { force: true })
    server.listen(socket.path)
    await once(server, 'listening')
    if (process.platform !== 'win32') chmodSync(socket.path, 0o600)
  } catch (error) {
    onTrouble(error)
  }
  server.unref()
  return { close }
}

async function serveHold(client: Socket, hold: HoldFiles): Promise<void> {
  if (client.destroyed) return
  const release = await hold().catch((error: unknown) => {
    client.destroy()
    throw error
  })
  try {
    client.write('held\n')
    client.setTimeout(longestHold, () => client.destroy())
    if (await saysDone(client)) client.end('released\n')
  } finally {
    release()
  }
}

/** Resolves with true once the client writes, and with false when it ends before. */
const saysDone = (client: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    client.once('data', () => resolve(true)).once('close', () => resolve(false))
    if (client.destroyed) resolve(false)
  })

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  await closed
}
