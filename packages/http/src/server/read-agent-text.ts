import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'

const folder = join(packageFolder, 'agents')

/** Returns the bytes of a text for agents that ships with this package. */
export const readAgentText = (name: string): Promise<Buffer> => readFile(join(folder, name))
