import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Checks that each room of the sources imports only the rooms that rooms.json allows it.

const root = join(import.meta.dirname, '..')

/** The rooms that each room may import, itself aside; those that import no other one have none. */
export const allowed: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(root, 'rooms.json'), 'utf8'),
)

/** Returns the room of a file of the sources: its package and its folder there, `.` for none. */
export function roomOf(path: string): string {
  const [, page] = /^packages\/(\w+)\/page\/src\//.exec(path) ?? []
  if (page !== undefined) return `${page}/page`
  const [, name = path, folder = '.'] = /^packages\/(\w+)\/src\/(?:([\w-]+)\/)?/.exec(path) ?? []
  return `${name}/${folder}`
}

// Static and dynamic imports, exports, and the files of workers.
const relativeImport = /(?:from|import|import\(|new URL\()\s*'(\.[^']*)'/g

/** Returns a sentence for each import of a file that rooms.json does not allow. */
export function wrongImports(path: string, text: string): readonly string[] {
  const from = roomOf(path)
  const rooms = allowed[from]
  if (rooms === undefined) return [`${path}: rooms.json has no room ${from}.`]
  const targets = [...text.matchAll(relativeImport)].map(([, target = '']) => target)
  return targets
    .map((target) => [target, roomOf(join(dirname(path), target))] as const)
    .filter(([, to]) => to !== from && !rooms.includes(to))
    .map(([target, to]) => `${path} imports ${target}, and ${from} may not import ${to}.`)
}

/** Returns a sentence for each import of the sources that is not allowed. */
export function wrongImportsOfAll(): readonly string[] {
  const sources = globSync('packages/*/{src,page/src}/**/*.{ts,tsx}', { cwd: root })
  return sources
    .filter((path) => !/\.test\.tsx?$|\/test\//.test(path))
    .flatMap((path) => wrongImports(path, readFileSync(join(root, path), 'utf8')))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = wrongImportsOfAll()
  for (const sentence of found) process.stderr.write(`${sentence}\n`)
  process.exitCode = found.length === 0 ? 0 : 1
}
