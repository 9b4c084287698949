import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const workspace = join(import.meta.dirname, '../..')

/** Returns a sum of files and of those below folders without their tests, named from the workspace. */
export function sumOf(paths: readonly string[]): string {
  const sum = createHash('sha256')
  const files = paths.flatMap((it) => filesIn(join(workspace, it)))
  for (const path of files.filter((it) => !it.endsWith('.test.ts'))) {
    sum.update(`${path}\0`).update(readFileSync(path)).update('\0')
  }
  return sum.digest('hex')
}

/** Returns the paths of a file, or of all files below a folder, in order. */
export function filesIn(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path]
  const inside = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = inside.filter((it) => it.isFile())
  return files.map((it) => join(it.parentPath, it.name)).toSorted()
}
