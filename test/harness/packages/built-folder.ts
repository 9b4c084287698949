import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildInto, builtProgram } from '../../../packages/http/test/built-program.ts'

const packageFolder = join(import.meta.dirname, '../../../packages/http')

/** A folder with the layout of the package, for its build output. */
export type BuiltFolder = {
  /** The folder of the built files. */
  readonly dist: string
  /** The program that `npm start` runs. */
  readonly program: string
  /** Copies what was built from the same sources before the tests. */
  readonly copy: () => void
  /** Builds, also repeatedly. @throws an error with the output of a failed build */
  readonly build: () => void
  readonly remove: () => void
}

/** Creates a folder for a build. */
export function builtFolder(): BuiltFolder {
  // Inside the package, so that the program finds its dependencies.
  const cache = join(packageFolder, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'built-'))
  copyFileSync(join(packageFolder, 'package.json'), join(folder, 'package.json'))
  const dist = join(folder, 'dist')
  return {
    dist,
    program: join(dist, 'cli.js'),
    copy: () => cpSync(dirname(builtProgram), dist, { recursive: true }),
    build: () => buildInto(dist),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
