import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'

/** Returns the version of this package. */
export function version(): string {
  const text = readFileSync(join(packageFolder, 'package.json'), 'utf8')
  return JSON.parse(text).version
}
