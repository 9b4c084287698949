import { join } from 'node:path'

/** The folder of the program that runs: the source, or what was packed of it. */
export const programFolder = import.meta.dirname

/** The folder of this package, just above either. */
export const packageFolder = join(programFolder, '..')
