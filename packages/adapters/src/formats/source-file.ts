import { Failure } from '@heirloom/core'
import type { Omission } from './import-report.ts'

/** A file in memory, read or to be written. */
export type SourceFile = {
  /** The path relative to the imported or exported folder, with `/` as separator. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Throws `import/malformed`; `problem` completes the sentence "… cannot be taken: …". */
export function throwMalformed(subject: string, problem: string, cause?: unknown): never {
  throw new Failure('import/malformed', { what: subject, problem }, { cause })
}

/** The longest path allowed, in UTF-16 units. */
const longestPath = 1024

/**
 * Returns why a path is not allowed, or `undefined`. A memory may come from anybody, so a path must
 * stay inside the folder it is written to, and mean the same on every system.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '' || path.length > longestPath)
    return `its name does not have 1 to ${longestPath} characters`
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) return 'its name holds control characters'
  if (path.includes('\\')) return 'its name holds a backslash, which divides folders on Windows'
  if (/^[a-z]:/i.test(path)) {
    return 'its name begins with a letter and a colon, which is a drive on Windows'
  }
  if (path.startsWith('/')) return 'its name is not relative to its folder'
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'its name leads out of its folder or has an empty part'
  }
  return undefined
}

/** Returns whether a path leads into `.git`, under any name that a file system takes for it. */
export function isInGitFolder(path: string): boolean {
  return path.split('/').some((part) => /^(?:\.git|git~1)[. ]*$/i.test(part))
}

/**
 * Returns the path when it is safe to write a file of a memory there, or throws.
 *
 * @throws `import/malformed`
 */
export function requireSafePath(path: string): string {
  const problem =
    pathProblem(path) ?? (isInGitFolder(path) ? 'its name leads into .git' : undefined)
  if (problem !== undefined) throwMalformed(shownPath(path), problem)
  return path
}

/**
 * Splits off the files of an import whose names are not allowed, each with the reason.
 *
 * @throws `import/malformed` when no other file is left
 */
export function splitOddNames(files: readonly SourceFile[]): {
  readonly files: readonly SourceFile[]
  readonly left: readonly Omission[]
} {
  const problems = new Map(files.map((file) => [file, pathProblem(file.path)]))
  const own = files.filter((file) => problems.get(file) === undefined)
  const left = files.flatMap((file) => {
    const why = problems.get(file)
    return why === undefined ? [] : [{ what: file.path, why, isLoss: true as const }]
  })
  const [first] = left
  if (own.length === 0 && first !== undefined) throwMalformed(shownPath(first.what), first.why)
  return { files: own, left }
}

/** The most characters of a path that a message repeats. */
const shownLength = 100

/** Returns a path in quotes, with escapes for what a person would not see. */
const shownPath = (path: string): string =>
  JSON.stringify(path.length > shownLength ? `${path.slice(0, shownLength)}…` : path)

/** The most files and bytes of one import. */
export const inputLimits = { files: 10_000, bytes: 64 * 2 ** 20 } as const

/**
 * Throws when there are too many files or bytes, or no file.
 *
 * @throws `import/malformed`
 */
export function checkInputLimits(files: readonly SourceFile[]): void {
  if (files.length === 0) throwMalformed('The folder', 'it is empty')
  const own = files.filter(({ path }) => !isInGitFolder(path))
  if (own.length > inputLimits.files) {
    throwMalformed('The folder', `it holds ${own.length} files; the limit is ${inputLimits.files}`)
  }
  const bytes = own.reduce((sum, file) => sum + file.bytes.length, 0)
  if (bytes > inputLimits.bytes) {
    throwMalformed('The input', `it has ${bytes} bytes; the limit is ${inputLimits.bytes}`)
  }
}
