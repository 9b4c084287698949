import { createConnection, type Socket } from 'node:net'
import { socketOf } from './folder-socket.ts'

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
