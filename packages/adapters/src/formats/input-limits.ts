import { isInGitFolder } from './path-problem.ts'
import { type SourceFile, throwMalformed } from './source-file.ts'

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
