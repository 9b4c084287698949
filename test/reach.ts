import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Modules that start a process, an EVM or a network: who reaches one of them is no unit test. */
const starters =
  /'(node:child_process|node:cluster|node:net|@nomicfoundation\/edr|solc|helia|playwright-core|puppeteer-core|pg)'/

const specifiers = /(?:from|import|import\(|new URL\()\s*'(\.{1,2}\/[^']+\.tsx?|@heirloom\/[^']+)'/g

/** Returns the test files below `packages` that reach no module that starts a process, an EVM or a network. */
export function withoutProcess(): readonly string[] {
  const files = globSync('packages/**/*.test.ts', { cwd: root, exclude: isForeign })
  const importers = new Map<string, string[]>()
  const reaching: string[] = []
  const seen = new Set<string>()
  const open = files.map((file) => join(root, file))
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const source = withoutTypes(readFileSync(file, 'utf8'))
    if (starters.test(source)) reaching.push(file)
    for (const imported of importsOf(file, source)) {
      importers.set(imported, [...(importers.get(imported) ?? []), file])
      open.push(imported)
    }
  }
  const all = closureOf(reaching, importers)
  return files.filter((file) => !all.has(join(root, file))).toSorted()
}

const isForeign = (path: string) => path.includes('node_modules')

/** Returns the sources that a source imports, also lazily and as a worker. */
function importsOf(file: string, source: string): readonly string[] {
  const names = [...source.matchAll(specifiers)].map(([, name = '']) => name)
  const paths = names.map((it) => (it.startsWith('.') ? join(dirname(file), it) : entranceOf(it)))
  return paths.filter((path) => path !== undefined && existsSync(path)) as string[]
}

/** Returns the given files and whatever imports one of them, however far away. */
function closureOf(files: readonly string[], importers: ReadonlyMap<string, readonly string[]>) {
  const all = new Set<string>()
  const open = [...files]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (all.has(file)) continue
    all.add(file)
    open.push(...(importers.get(file) ?? []))
  }
  return all
}

/** Removes the imports of types, which nothing of remains at run time. */
const withoutTypes = (source: string) =>
  source.replaceAll(/^(import|export) type [^']*'[^']+'$/gm, '')

/** Returns the source of an entrance of our packages. */
function entranceOf(name: string): string | undefined {
  const [, folder = '', path = ''] = /^@heirloom\/(\w+)(.*)$/.exec(name) ?? []
  const manifest = join(root, 'packages', folder, 'package.json')
  if (!existsSync(manifest)) return undefined
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8'))
  const source: unknown = exports[`.${path}`]
  return typeof source === 'string' ? join(dirname(manifest), source) : undefined
}

if (import.meta.main) {
  for (const file of withoutProcess()) process.stdout.write(`${relative('.', file)}\n`)
}
