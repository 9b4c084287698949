import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

// Beside the folder of the source as well as beside that of what is built.
const folder = join(import.meta.dirname, '../agents')

/** Returns the bytes of a text for agents that comes with this package. */
export const agentText = (name: string): Promise<Buffer> => readFile(join(folder, name))
