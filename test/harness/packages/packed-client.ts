import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Published } from './publish.ts'

/** Returns the path of the tarball of a package. */
export function tarballPath({ workspace }: Pick<Published, 'workspace'>, name: string): string {
  const { version } = JSON.parse(
    readFileSync(join(workspace, 'packages/http/package.json'), 'utf8'),
  )
  return join(workspace, 'tarballs', `heirloom-${name}-${version}.tgz`)
}

/** Returns the bytes of all files below a folder. */
export function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((it) => it.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
