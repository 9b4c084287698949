import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const packageFolder = join(import.meta.dirname, '../../../packages/http')

/** A folder that is laid out as the package is, for what is built from its source. */
export type Built = {
  /** Where the built files are. */
  readonly dist: string
  /** What `npm start` runs. */
  readonly program: string
  /** Builds, once more where it was built before. @throws what the build complains of */
  readonly build: () => void
  readonly remove: () => void
}

/** Makes a folder to build into. */
export function builtFolder(): Built {
  // Inside the package, whose dependencies the program loads.
  const cache = join(packageFolder, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'built-'))
  copyFileSync(join(packageFolder, 'package.json'), join(folder, 'package.json'))
  const dist = join(folder, 'dist')
  return {
    dist,
    program: join(dist, 'cli.js'),
    build: () => {
      const words = [join(packageFolder, 'build.ts'), dist]
      const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
      if (status !== 0 || stderr !== '')
        throw new Error(`The build ended with ${status}: ${stderr}`)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
