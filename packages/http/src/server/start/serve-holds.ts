import { hash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** The file of the socket in a data folder. */
const socketFile = 'server.sock'

/** The longest path of a socket, in bytes; Linux and macOS differ by four. */
const longestPath = 100

/** A path at which a server and a command on one machine meet; only who can enter the folder can. */
type SocketPath = { readonly path: string; close(): void }

/** Returns the path of the socket of a data folder. */
function socketOf(folder: string): SocketPath {
  const path = join(folder, socketFile)
  if (process.platform === 'win32') {
    return { path: `\\\\.\\pipe\\heirloom-${hash('sha256', folder)}`, close: () => undefined }
  }
  if (Buffer.byteLength(path) <= longestPath || process.platform !== 'linux') {
    return { path, close: () => undefined }
  }
  // Linux has another name for the folder, which is short.
  const descriptor = openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}/${socketFile}`, close: () => closeSync(descriptor) }
}

/** Keeps the files of the data folder complete and unchanged until the result is called. */
type HoldFiles = () => Promise<() => void>

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

/** Thrown when the server ended, or stopped holding, before the act was over. */
export class HoldLost extends Error {
  override readonly name = 'HoldLost'
}

/**
 * Runs an act while the server of a data folder keeps its files complete and unchanged.
 *
 * @throws HoldLost when no server answers, or it ended meanwhile: what the act did may be torn
 */
export async function whileHeld(folder: string, act: () => Promise<void>): Promise<void> {
  const socket = socketOf(folder)
  const server = createConnection(socket.path)
  try {
    await readWord(server, 'held')
    await act()
    server.write('done\n')
    await readWord(server, 'released')
  } finally {
    server.destroy()
    socket.close()
  }
}

/** The longest that a server may take to say a word, in milliseconds. */
const longestSilence = 30_000

/** Waits for a word of the server. */
function readWord(server: Socket, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const lose = (cause?: unknown) =>
      reject(new HoldLost('The server stopped holding its files.', { cause }))
    if (server.destroyed) lose()
    server.setTimeout(longestSilence, () => lose())
    server.once('error', lose).once('close', () => lose())
    server.once('data', (said) => (String(said) === `${word}\n` ? resolve() : lose()))
  })
}
