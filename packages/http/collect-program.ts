import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

// Copies the built program into a folder, with the packages that are not packed into it and theirs:
// node packages/http/collect-program.ts FOLDER [DIST]. The folder then needs Node and nothing else.

const [folder, dist] = process.argv.slice(2)
if (folder === undefined) throw new Error('The folder for the program is missing.')

const own = import.meta.dirname

/** The packages with native code or with files of their own; `build.ts` does not pack them. */
const unpacked = ['@nomicfoundation/edr', 'sodium-native', 'secp256k1', 'koffi']

mkdirSync(folder, { recursive: true })
cpSync(dist ?? join(own, 'dist'), join(folder, 'dist'), { recursive: true })
for (const name of ['agents', 'package.json']) {
  cpSync(join(own, name), join(folder, name), { recursive: true })
}
for (const name of unpacked) copyPackage(name, own, join(folder, 'node_modules'))

/** Copies a package and its dependencies; two versions of one package become nested folders. */
function copyPackage(name: string, importer: string, target: string): void {
  const source = findPackage(name, importer)
  // An optional dependency that is not for this platform is not installed.
  if (source === undefined) return
  const flat = join(folder ?? '', 'node_modules', name)
  const place =
    !existsSync(flat) || versionOf(flat) === versionOf(source) ? flat : join(target, name)
  if (existsSync(place)) return
  cpSync(source, place, { recursive: true, filter: (path) => isOwn(relative(source, path)) })
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(source)
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
    copyPackage(needed, source, join(place, 'node_modules'))
  }
}

/** Returns whether a file is one of a package itself. */
function isOwn(path: string): boolean {
  return !path.split(sep).includes('node_modules')
}

/** Returns the folder of a package as Node finds it; `undefined` if it is not installed. */
function findPackage(name: string, importer: string): string | undefined {
  for (let at = importer; at !== dirname(at); at = dirname(at)) {
    const found = join(at, 'node_modules', name)
    if (existsSync(found)) return realpathSync(found)
  }
  return undefined
}

type Manifest = {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function manifestOf(place: string): Manifest {
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
}

function versionOf(place: string): string {
  return manifestOf(place).version
}
