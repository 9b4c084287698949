import { existsSync } from 'node:fs'
import { UsageError } from '../arguments/usage-error.ts'

/**
 * Requires that no file would be replaced, unless the caller said so with `--force`.
 *
 * @throws a `UsageError` that names the first file that exists
 */
export function requireFree(
  { force }: { readonly force?: boolean | undefined },
  ...files: readonly (string | undefined)[]
): void {
  const existing = force ? undefined : files.find((file) => file !== undefined && existsSync(file))
  if (existing === undefined) return
  throw new UsageError(`${existing} exists. Choose another name, or pass --force to replace it.`)
}
