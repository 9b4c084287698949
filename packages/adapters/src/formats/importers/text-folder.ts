import type { Omission } from '../import-report.ts'
import { notUtf8, textFault } from '../json-fault.ts'
import { isInGitFolder, requireSafePath, type SourceFile, throwMalformed } from '../source-file.ts'
import { decodeUtf8, isJsonObject, memberOf } from './json-file.ts'

/** A text of a folder. */
export type Text = { readonly path: string; readonly text: string }

/** The texts of a folder, sorted by path, and the text of `data` that they become. */
export type TextFolder = {
  readonly data: string
  readonly texts: readonly Text[]
  readonly left: readonly Omission[]
}

/**
 * Reads the texts of a folder: `data` is `{"files":{path: text}}`, sorted by path, each text
 * unchanged. What is no UTF-8 text, and the git history, is left out.
 *
 * @throws `import/malformed`
 */
export function readTextFolder(files: readonly SourceFile[]): TextFolder {
  requireDistinctPaths(files)
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const own = sorted.filter(({ path }) => !isInGitFolder(path))
  const binaries = own.filter(({ bytes }) => decodeText(bytes) === undefined)
  const read = own.map(({ path, bytes }) => ({ path, text: decodeText(bytes) }))
  const texts = read.filter((it): it is Text => it.text !== undefined)
  if (texts.length === 0) throwMalformed('The folder', noTextProblem(own))
  const members = texts.map(({ path, text }) => `${JSON.stringify(path)}:${JSON.stringify(text)}`)
  return {
    data: `{"files":{${members.join(',')}}}`,
    texts,
    left: [
      ...gitOmission(sorted),
      ...binaries.map(({ path, bytes }) => binaryOmission(path, bytes)),
    ],
  }
}

/** Returns why files hold no text; of one file alone the place where it is none. */
function noTextProblem([first, ...others]: readonly SourceFile[]): string {
  const fault = first === undefined || others.length > 0 ? undefined : textFault(first.bytes)
  return fault ?? 'it holds no text file'
}

function decodeText(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) ? undefined : decodeUtf8(bytes)
}

function gitOmission(files: readonly SourceFile[]): readonly Omission[] {
  const count = files.filter(({ path }) => isInGitFolder(path)).length
  return count === 0
    ? []
    : [{ what: `.git (${count} files)`, why: 'the git history is not part of the memory' }]
}

const binaryOmission = (what: string, bytes: Uint8Array): Omission => ({
  what,
  why: notUtf8(bytes),
  isLoss: true,
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
function isTextFolder(data: unknown): boolean {
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
export function writeTextFolder(data: unknown): readonly SourceFile[] {
  if (!isTextFolder(data)) throwMalformed('The memory', 'it does not hold a folder of texts')
  const texts = Object.entries(memberOf(data, 'files') as Readonly<Record<string, string>>)
  const files = texts.map(([path, text]) => ({
    path: requireSafePath(path),
    bytes: new TextEncoder().encode(text),
  }))
  requireDistinctPaths(files)
  return files
}
