import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { UsageError } from '../arguments/usage-error.ts'

/**
 * Writes a file that only its owner can read. An earlier file stays until the new one is complete.
 *
 * @throws a `UsageError` that names the file
 */
export async function writeAtomically(path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new UsageError(`Cannot write ${path} (${Object(error).code}).`)
  }
}
