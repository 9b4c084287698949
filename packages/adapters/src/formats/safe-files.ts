import type { Omission } from './import-report.ts'
import { folderImporters } from './importers/folder-importers.ts'
import type { FolderImporter, JsonImporter } from './importers/importer.ts'
import { jsonImporters } from './importers/json-importers.ts'
import { nameProblem, normalizeName } from './name-problem.ts'
import type { SourceFile } from './source-file.ts'

/**
 * Splits files into those that are safe to write under their names and those to leave out. The
 * single file of a JSON format may have the usual name of the format. Of two names that a file
 * system or a reader can confuse, only the first is safe. With `json` other JSON files are safe too,
 * because the account that exports them gave them their names.
 */
export function safeFiles(
  files: readonly SourceFile[],
  options: nameProblem.Options = {},
): {
  readonly files: readonly SourceFile[]
  readonly left: readonly Omission[]
} {
  const taken = new Map<string, string>()
  const safe: SourceFile[] = []
  const left: Omission[] = []
  const isOwnFile = ownFilesOf(files)
  for (const file of files) {
    const why =
      isFormatFile(file, files) || isOwnFile(file)
        ? undefined
        : (nameProblem(file.path, options) ?? findCollision(taken, file.path))
    if (why === undefined) {
      safe.push(file)
      addPaths(taken, file.path)
    } else {
      left.push({ what: file.path, why })
    }
  }
  return { files: safe, left }
}

const formats: readonly JsonImporter[] = Object.values(jsonImporters)

/** Returns whether a file has a usual name of a JSON format, which no program reads by itself. */
const isFormatFile = ({ path }: SourceFile, files: readonly SourceFile[]): boolean =>
  files.length === 1 && (isLettaFile(path) || formats.some((it) => isFileOf(it, path)))

const isFileOf = ({ file, otherFiles }: JsonImporter, path: string): boolean =>
  path === file || otherFiles?.test(path) === true

const folders: readonly FolderImporter[] = Object.values(folderImporters)

/** Returns whether a file is one that only the program of its folder reads. */
function ownFilesOf(files: readonly SourceFile[]): (file: SourceFile) => boolean {
  const own = folders.filter(({ ownFiles, matches }) => ownFiles !== undefined && matches(files))
  return ({ path }) => own.some(({ ownFiles }) => ownFiles?.test(path))
}

/** Only Letta reads `.af` files, under any name. */
const isLettaFile = (path: string): boolean =>
  path.endsWith('.af') && nameProblem(path.replace(/\.af$/, '.md')) === undefined

/** Returns the comparable form of a path and of each folder above it. */
const comparablePaths = (path: string): readonly string[] => {
  const parts = path.split('/').map((part) => skeleton(normalizeName(part)))
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

function addPaths(taken: Map<string, string>, path: string): void {
  for (const [at, comparable] of comparablePaths(path).entries()) {
    taken.set(
      comparable,
      path
        .split('/')
        .slice(0, at + 1)
        .join('/'),
    )
  }
}

/** Returns a problem when a path can be confused with an earlier one. Folders may repeat exactly. */
function findCollision(taken: ReadonlyMap<string, string>, path: string): string | undefined {
  const parts = path.split('/')
  for (const [at, comparable] of comparablePaths(path).entries()) {
    const own = parts.slice(0, at + 1).join('/')
    const other = taken.get(comparable)
    if (other === undefined) continue
    if (other !== own || at === parts.length - 1) return `it can be taken for ${other}`
  }
  return undefined
}

/** Each Latin letter, followed by the Cyrillic and Greek letters that look like it. */
const lookalikes = [
  ...['aаα', 'bЬв', 'cсϲ', 'dԁ', 'eеε', 'gԍ', 'hһнη', 'iіιı', 'jј', 'kкκ', 'lӏ', 'mмμ', 'nпν'],
  ...['oоοσ', 'pрρ', 'qԛ', 'sѕ', 'tтτ', 'uυ', 'wԝω', 'xхχ', 'yуγ', 'zζ', '3з'],
]
const latin = new Map(
  lookalikes.flatMap(([letter = '', ...others]) => others.map((it) => [it, letter] as const)),
)

const skeleton = (part: string): string =>
  Array.from(part, (letter) => latin.get(letter) ?? letter).join('')
