import { hash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

/** The file of the socket in a data folder. */
const socketFile = 'server.sock'

/** The longest path of a socket, in bytes; Linux and macOS differ by four. */
const longestPath = 100

/** A path at which a server and a command on one machine meet; only who can enter the folder can. */
export type SocketPath = { readonly path: string; close(): void }

/** Returns the path of the socket of a data folder. */
export function socketOf(folder: string): SocketPath {
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
