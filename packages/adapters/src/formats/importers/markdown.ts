import { frontMatterOf, readFrontMatter } from './front-matter.ts'
import { type Left, type MetadataInput, metadataNames } from '../import-report.ts'
import { utf8Of } from './json-file.ts'
import type { Described } from './json-importer.ts'
import { malformed } from '../throw-malformed.ts'
import { isGit, safePath } from '../safe-files/path-problem.ts'
import type { SourceFile } from '../source-file.ts'
import { agreed, isMembers, memberOf } from './json-members.ts'

/** The category of a folder whose front matter names none. */
export const markdownCategory = 'memory'

/** A folder of texts as `data` holds it, and what it says of itself. */
export type MarkdownFolder = Described & { readonly data: string }

const isText = (path: string) => /\.(?:md|mdx|markdown|txt)$/i.test(path)

/** Tells whether files may be a folder of Markdown memories. */
export function isMarkdown(files: readonly SourceFile[]): boolean {
  return files.some(({ path }) => isText(path) && !isGit(path))
}

/**
 * Reads a folder of Markdown memories: `data` is `{"files":{path: text}}`, in the order of the
 * paths, each text whole, front matter and line ends included.
 *
 * @throws `import/malformed`
 */
export function readMarkdown(files: readonly SourceFile[]): MarkdownFolder {
  refuseTwice(files)
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const own = sorted.filter(({ path }) => !isGit(path))
  const read = own.map(({ path, bytes }) => ({ path, text: plainText(bytes) }))
  const texts = read.filter((it): it is Text => it.text !== undefined)
  if (texts.length === 0) malformed('The folder', 'it holds no text')
  const matters = texts.flatMap(({ path, text }) => matterOf(path, text))
  const members = texts.map(({ path, text }) => `${JSON.stringify(path)}:${JSON.stringify(text)}`)
  return {
    data: `{"files":{${members.join(',')}}}`,
    metadata: agreedOn(matters.flatMap(({ says }) => says ?? [])),
    taken: [
      { what: 'texts', count: texts.length },
      { what: 'texts with front matter', count: matters.length },
    ],
    left: [
      ...gitLeft(sorted),
      ...read.filter(({ text }) => text === undefined).map(({ path }) => binaryLeft(path)),
      ...matters.filter(({ says }) => says === undefined).map(({ path }) => unreadLeft(path)),
    ],
  }
}

type Text = { readonly path: string; readonly text: string }
type Matter = { readonly path: string; readonly says: MetadataInput | undefined }

function plainText(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) ? undefined : utf8Of(bytes)
}

function matterOf(path: string, text: string): readonly Matter[] {
  const yaml = frontMatterOf(text)
  return yaml === undefined ? [] : [{ path, says: readFrontMatter(yaml) }]
}

function agreedOn(all: readonly MetadataInput[]): MetadataInput {
  const found = metadataNames.map((name) => [name, agreed(all.map((it) => it[name]))] as const)
  return Object.fromEntries(found.filter(([, text]) => text !== undefined))
}

function gitLeft(files: readonly SourceFile[]): readonly Left[] {
  const count = files.filter(({ path }) => isGit(path)).length
  return count === 0 ? [] : [{ what: `.git (${count} files)`, why: 'a history is no memory' }]
}

const binaryLeft = (what: string): Left => ({ what, why: 'it is no text in UTF-8' })
const unreadLeft = (path: string): Left => ({
  what: `the front matter of ${path}`,
  why: 'it is no YAML; the text itself is taken',
})

/** Refuses names that cannot stand beside each other in one folder. */
function refuseTwice(files: readonly { readonly path: string }[]): void {
  const paths = new Set(files.map(({ path }) => path))
  if (paths.size < files.length) malformed('The folder', 'it holds a name twice')
  for (const path of paths) {
    const parents = path.split('/').slice(0, -1)
    const isInside = parents.some((_, at) => paths.has(parents.slice(0, at + 1).join('/')))
    if (isInside) malformed('The folder', 'a name is that of a file and of a folder')
  }
}

/** Tells whether parsed `data` is a folder of texts. */
export function holdsFolder(data: unknown): boolean {
  const files = memberOf(data, 'files')
  if (!isMembers(data) || Object.keys(data).length !== 1 || !isMembers(files)) return false
  const texts = Object.values(files)
  return texts.length > 0 && texts.every((text) => typeof text === 'string')
}

/**
 * Returns the files of a folder, byte for byte. A memory may come from anybody: a name that leads
 * elsewhere refuses them all.
 *
 * @throws `import/malformed`
 */
export function writeMarkdown(data: unknown): readonly SourceFile[] {
  if (!holdsFolder(data)) malformed('The memory', 'it holds no folder of texts')
  const texts = Object.entries(memberOf(data, 'files') as Readonly<Record<string, string>>)
  const files = texts.map(([path, text]) => ({
    path: safePath(path),
    bytes: new TextEncoder().encode(text),
  }))
  refuseTwice(files)
  return files
}
