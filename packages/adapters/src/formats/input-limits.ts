import { malformed } from './throw-malformed.ts'
import { isGit, pathProblem } from './safe-files/path-problem.ts'
import type { SourceFile } from './source-file.ts'

/** How much is taken in at once. */
export const limits = { files: 10_000, bytes: 64 * 2 ** 20 } as const

/**
 * Refuses files that are too many, too long, or of names that lead out of their folder.
 *
 * @throws `import/malformed`
 */
export function refuseTooMuch(files: readonly SourceFile[]): void {
  if (files.length === 0) malformed('The folder', 'there is nothing in it')
  const own = files.filter(({ path }) => !isGit(path))
  if (own.length > limits.files) {
    malformed('The folder', `it holds ${own.length} files, and ${limits.files} can be taken`)
  }
  const bytes = own.reduce((sum, file) => sum + file.bytes.length, 0)
  if (bytes > limits.bytes) {
    malformed('What is given', `it has ${bytes} bytes, and ${limits.bytes} can be taken`)
  }
  const problem = files.map(({ path }) => pathProblem(path)).find((it) => it !== undefined)
  if (problem !== undefined) malformed('The folder', problem)
}
