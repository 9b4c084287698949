import { type MetadataInput, metadataNames, type Omission } from '../import-report.ts'
import { isInGitFolder, requireSafePath } from '../safe-files/path-problem.ts'
import type { SourceFile } from '../source-file.ts'
import { throwMalformed } from '../throw-malformed.ts'
import { frontMatterOf, readFrontMatter } from './front-matter.ts'
import { decodeUtf8 } from './json-file.ts'
import type { Description } from './json-importer.ts'
import { commonText, isJsonObject, memberOf } from './json-members.ts'

/** The category when the front matter of the folder names none. */
export const markdownCategory = 'memory'

/** The text of `data` for a folder of texts, and the description of the import. */
export type MarkdownFolder = Description & { readonly data: string }

const isText = (path: string) => /\.(?:md|mdx|markdown|txt)$/i.test(path)

/** Returns whether files may be a folder of Markdown memories. */
export function isMarkdown(files: readonly SourceFile[]): boolean {
  return files.some(({ path }) => isText(path) && !isInGitFolder(path))
}

/**
 * Reads a folder of Markdown memories: `data` is `{"files":{path: text}}`, sorted by path, with
 * each text unchanged, front matter and line ends included.
 *
 * @throws `import/malformed`
 */
export function readMarkdown(files: readonly SourceFile[]): MarkdownFolder {
  requireDistinctPaths(files)
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const own = sorted.filter(({ path }) => !isInGitFolder(path))
  const read = own.map(({ path, bytes }) => ({ path, text: decodeText(bytes) }))
  const texts = read.filter((it): it is Text => it.text !== undefined)
  if (texts.length === 0) throwMalformed('The folder', 'it holds no text file')
  const frontMatters = texts.flatMap(({ path, text }) => parseFrontMatter(path, text))
  const members = texts.map(({ path, text }) => `${JSON.stringify(path)}:${JSON.stringify(text)}`)
  return {
    data: `{"files":{${members.join(',')}}}`,
    metadata: commonMetadata(frontMatters.flatMap(({ metadata }) => metadata ?? [])),
    taken: [
      { what: 'texts', count: texts.length },
      { what: 'texts with front matter', count: frontMatters.length },
    ],
    left: [
      ...gitOmission(sorted),
      ...read.filter(({ text }) => text === undefined).map(({ path }) => binaryOmission(path)),
      ...frontMatters
        .filter(({ metadata }) => metadata === undefined)
        .map(({ path }) => frontMatterOmission(path)),
    ],
  }
}

type Text = { readonly path: string; readonly text: string }
type FrontMatter = { readonly path: string; readonly metadata: MetadataInput | undefined }

function decodeText(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) ? undefined : decodeUtf8(bytes)
}

function parseFrontMatter(path: string, text: string): readonly FrontMatter[] {
  const yaml = frontMatterOf(text)
  return yaml === undefined ? [] : [{ path, metadata: readFrontMatter(yaml) }]
}

function commonMetadata(all: readonly MetadataInput[]): MetadataInput {
  const found = metadataNames.map((name) => [name, commonText(all.map((it) => it[name]))] as const)
  return Object.fromEntries(found.filter(([, text]) => text !== undefined))
}

function gitOmission(files: readonly SourceFile[]): readonly Omission[] {
  const count = files.filter(({ path }) => isInGitFolder(path)).length
  return count === 0
    ? []
    : [{ what: `.git (${count} files)`, why: 'the git history is not part of the memory' }]
}

const binaryOmission = (what: string): Omission => ({ what, why: 'it is not UTF-8 text' })
const frontMatterOmission = (path: string): Omission => ({
  what: `the front matter of ${path}`,
  why: 'it is not YAML; the text itself is imported',
})

/** Throws when two paths cannot exist in one folder: equal paths, or a file and a folder of one name. */
function requireDistinctPaths(files: readonly { readonly path: string }[]): void {
  const paths = new Set(files.map(({ path }) => path))
  if (paths.size < files.length) throwMalformed('The folder', 'it holds the same name twice')
  for (const path of paths) {
    const parents = path.split('/').slice(0, -1)
    const isInside = parents.some((_, at) => paths.has(parents.slice(0, at + 1).join('/')))
    if (isInside) throwMalformed('The folder', 'a name is that of both a file and a folder')
  }
}

/** Returns whether parsed `data` is a folder of texts. */
export function isMarkdownData(data: unknown): boolean {
  const files = memberOf(data, 'files')
  if (!isJsonObject(data) || Object.keys(data).length !== 1 || !isJsonObject(files)) return false
  const texts = Object.values(files)
  return texts.length > 0 && texts.every((text) => typeof text === 'string')
}

/**
 * Writes the files of a folder, byte for byte. A memory may come from anybody, so one unsafe path
 * rejects the whole folder.
 *
 * @throws `import/malformed`
 */
export function writeMarkdown(data: unknown): readonly SourceFile[] {
  if (!isMarkdownData(data)) throwMalformed('The memory', 'it does not hold a folder of texts')
  const texts = Object.entries(memberOf(data, 'files') as Readonly<Record<string, string>>)
  const files = texts.map(([path, text]) => ({
    path: requireSafePath(path),
    bytes: new TextEncoder().encode(text),
  }))
  requireDistinctPaths(files)
  return files
}
