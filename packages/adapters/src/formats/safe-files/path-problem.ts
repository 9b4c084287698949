import { malformed } from '../throw-malformed.ts'

/** The longest path that is taken, in UTF-16 units. */
export const longestPath = 1024

/**
 * Returns what is wrong with a path, or nothing. A memory may come from anybody, so a path must
 * stay inside the folder it is written to, and mean the same on every system.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '' || path.length > longestPath) return `a name has 1 to ${longestPath} characters`
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) return 'a name holds control characters'
  if (path.includes('\\')) return 'a name holds a backslash'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'a name is not relative to its folder'
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'a name leads out of its folder, or through an empty part'
  }
  return undefined
}

/** Tells whether a path leads into a folder that git keeps, under whichever name a system has it. */
export function isGit(path: string): boolean {
  return path.split('/').some((part) => /^(?:\.git|git~1)[. ]*$/i.test(part))
}

/**
 * Returns a path that a memory names, if a file may be written there.
 *
 * @throws `import/malformed`
 */
export function safePath(path: string): string {
  const problem = pathProblem(path) ?? (isGit(path) ? 'a name leads into .git' : undefined)
  if (problem !== undefined) malformed('The memory', problem)
  return path
}
