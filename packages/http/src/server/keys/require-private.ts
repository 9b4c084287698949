import { statSync } from 'node:fs'

/** Throws the failure of a secret file that every user of the machine can read. */
export function requirePrivate(path: string, fail: (problem: string) => Error): void {
  // Windows has no such file modes. A group may read it: Kubernetes gives secrets to one.
  if (process.platform === 'win32') return
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o007) === 0) return
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  throw fail(`can be used by every user of this machine (mode ${octal}); run chmod 600 on it`)
}
