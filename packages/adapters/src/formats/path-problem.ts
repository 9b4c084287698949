import { throwMalformed } from './source-file.ts'

/** The longest path allowed, in UTF-16 units. */
export const longestPath = 1024

/**
 * Returns why a path is not allowed, or `undefined`. A memory may come from anybody, so a path must
 * stay inside the folder it is written to, and mean the same on every system.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '' || path.length > longestPath) return `a name has 1 to ${longestPath} characters`
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) return 'a name holds control characters'
  if (path.includes('\\')) return 'a name holds a backslash'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'a name is not relative to its folder'
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'a name leads out of its folder or has an empty part'
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
  const problem = pathProblem(path) ?? (isInGitFolder(path) ? 'a name leads into .git' : undefined)
  if (problem !== undefined) throwMalformed('The memory', problem)
  return path
}
