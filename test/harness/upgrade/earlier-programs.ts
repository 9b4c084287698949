import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { builtProgram } from '../../../packages/http/test/built-program.ts'

/**
 * The folder with the packed server of each release: a file with the path and the text of each of its
 * files. The server alone, without the commands and the page, and with the notices of what is in it.
 */
export const programsFolder = join(import.meta.dirname, '../../fixtures/programs')

const extension = '.json.br'

/** The names of the programs: a release. */
export const programNames: readonly string[] = existsSync(programsFolder)
  ? readdirSync(programsFolder).map((file) => basename(file, extension))
  : []

/** Returns the file of a program in the repository. */
export const programArchive = (name: string): string => join(programsFolder, `${name}${extension}`)

/**
 * Unpacks the server of an earlier release beside the one of this code, where it finds the packages
 * that are not packed, and returns its program.
 */
export function earlierProgram(name: string): string {
  const archive = readFileSync(programArchive(name))
  const sum = createHash('sha256').update(archive).digest('hex').slice(0, 16)
  const folder = join(dirname(builtProgram), `../../earlier-${name}-${sum}`)
  const program = join(folder, 'dist/cli.js')
  if (existsSync(program)) return program
  const files = JSON.parse(brotliDecompressSync(archive).toString()) as Files
  // Aside first: two processes may unpack it at the same time.
  const aside = `${folder}.${process.pid}`
  for (const [path, text] of Object.entries(files)) {
    const file = join(aside, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  try {
    renameSync(aside, folder)
  } catch (error) {
    rmSync(aside, { recursive: true })
    if (!existsSync(program)) throw error
  }
  return program
}

/** The text of each file of a program, by its path. */
export type Files = Readonly<Record<string, string>>
