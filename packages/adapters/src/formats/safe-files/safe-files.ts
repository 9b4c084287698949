import type { Left } from '../import-report.ts'
import { jsonFormats } from '../importers/json-importers.ts'
import { nameProblem, plainName } from './name-problem.ts'
import type { SourceFile } from '../source-file.ts'

/**
 * Parts files into those that may be written under their names, whoever chose them, and those that
 * are left out. The one file of a format keeps the name that the format gives it. Of two names that some system, or a reader, takes for one, the first is written.
 */
export function safeFiles(files: readonly SourceFile[]): {
  readonly files: readonly SourceFile[]
  readonly left: readonly Left[]
} {
  const taken = new Map<string, string>()
  const safe: SourceFile[] = []
  const left: Left[] = []
  for (const file of files) {
    const why = isWholeFormat(file, files) ? undefined : problemOf(taken, file)
    if (why === undefined) {
      safe.push(file)
      take(taken, file.path)
    } else {
      left.push({ what: file.path, why })
    }
  }
  return { files: safe, left }
}

/** The names that formats of one file give it; no program reads them unasked. */
const formatFiles: ReadonlySet<string> = new Set(Object.values(jsonFormats).map(({ file }) => file))

const isWholeFormat = ({ path }: SourceFile, files: readonly SourceFile[]): boolean =>
  files.length === 1 && (formatFiles.has(path) || isAgentFile(path))

/** Agent files of Letta are read by Letta alone, whatever stands before the dot. */
const isAgentFile = (path: string): boolean =>
  path.endsWith('.af') && nameProblem(path.replace(/\.af$/, '.md')) === undefined

const problemOf = (taken: ReadonlyMap<string, string>, { path }: SourceFile): string | undefined =>
  nameProblem(path) ?? collision(taken, path)

/** What a name is taken for, the whole of it and each folder on its way. */
const placesOf = (path: string): readonly string[] => {
  const parts = path.split('/').map((part) => skeleton(plainName(part)))
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

function take(taken: Map<string, string>, path: string): void {
  for (const [at, place] of placesOf(path).entries()) {
    taken.set(
      place,
      path
        .split('/')
        .slice(0, at + 1)
        .join('/'),
    )
  }
}

/** A folder may be met again under the same letters, and a file under none. */
function collision(taken: ReadonlyMap<string, string>, path: string): string | undefined {
  const parts = path.split('/')
  for (const [at, place] of placesOf(path).entries()) {
    const own = parts.slice(0, at + 1).join('/')
    const other = taken.get(place)
    if (other === undefined) continue
    if (other !== own || at === parts.length - 1) return `it can be taken for ${other}`
  }
  return undefined
}

/** Letters of Cyrillic and Greek that look as a Latin one does, which stands before them. */
const alike = [
  ...['aаα', 'bЬв', 'cсϲ', 'dԁ', 'eеε', 'gԍ', 'hһнη', 'iіιı', 'jј', 'kкκ', 'lӏ', 'mмμ', 'nпν'],
  ...['oоοσ', 'pрρ', 'qԛ', 'sѕ', 'tтτ', 'uυ', 'wԝω', 'xхχ', 'yуγ', 'zζ', '31з'],
]
const latin = new Map(
  alike.flatMap(([letter = '', ...others]) => others.map((it) => [it, letter] as const)),
)

const skeleton = (part: string): string =>
  Array.from(part, (letter) => latin.get(letter) ?? letter).join('')
