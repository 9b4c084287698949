import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FileSteps, fileSteps } from '@heirloom/adapters/internal/backup'
import { destroyedFile, erasedFile } from '@heirloom/adapters/keys'
import { Failure } from '@heirloom/core'
import { installationFile, unfinishedRestore } from '../../server/installation.ts'
import { agentFile } from '../../server/whole-folder.ts'

/** The files that may be in a folder before a restore: keys that were kept apart, and our lock. */
const allowed = [
  ...['master.keys', agentFile, destroyedFile, erasedFile, 'lost+found', unfinishedRestore],
  ...['lock.sqlite', 'lock.sqlite-journal', 'lock.sqlite-wal', 'lock.sqlite-shm'],
]

/**
 * Refuses to restore into a folder that holds anything but keys.
 *
 * @throws `folder/unusable`
 */
export function requireEmpty(folder: string): void {
  const found = readdirSync(folder).find((name) => !allowed.includes(name))
  if (found === undefined) return
  const problem = `it holds ${found}, and a backup is restored only into a folder that is empty but for ${allowed.slice(0, 4).join(', ')}; choose another one with --into`
  throw new Failure('folder/unusable', { folder, problem })
}

/** The file that says that a restored folder is whole, and only lacks its place. */
const completeFile = 'complete'

/** Returns whether a restore was cut off after it was whole. */
export const isComplete = (folder: string): boolean =>
  existsSync(join(folder, unfinishedRestore, completeFile))

/**
 * Moves what was restored beside a data folder into it. A server refuses the folder until all is
 * there, and a run that is cut off is finished by the next one.
 */
export async function placeRestored(folder: string, steps: FileSteps): Promise<void> {
  const mark = join(folder, unfinishedRestore, completeFile)
  await steps.write(`${mark}.unfinished`, new Uint8Array())
  await steps.rename(`${mark}.unfinished`, mark)
  await finishRestore(folder, steps)
}

/** Finishes a restore that was cut off while its parts were moved, if there is one. */
export async function finishRestore(folder: string, steps: FileSteps = fileSteps): Promise<void> {
  if (!isComplete(folder)) return
  const staging = join(folder, unfinishedRestore)
  // The identity comes last: without it the folder counts as one that holds foreign parts.
  const names = readdirSync(staging).filter((name) => name !== completeFile)
  const last = (name: string) => Number(name === installationFile)
  for (const name of names.toSorted((one, other) => last(one) - last(other))) {
    await steps.rename(join(staging, name), join(folder, name))
  }
  await steps.remove(staging)
}
