import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { longestWait } from '../../tier.ts'

type Make = (folder: string) => Promise<void>

/** The folders that this process makes or has made: waiting for itself at the lock, it would stop. */
const made = new Map<string, Promise<string>>()

/** Makes a folder for all test files of a run, unless another file did, and returns its path. */
export function makeOnce(name: string, make: Make): Promise<string> {
  const folder = join(inject('runFolder'), name)
  const known = made.get(folder) ?? makeAlone(folder, make)
  made.set(folder, known)
  return known
}

/** Makes a folder while other processes wait. */
async function makeAlone(folder: string, make: Make): Promise<string> {
  const done = `${folder}.done`
  // The system ends the lock with its process.
  const lock = new DatabaseSync(`${folder}.sqlite`, { timeout: longestWait })
  lock.exec('begin exclusive')
  try {
    if (!existsSync(done)) {
      await make(folder)
      writeFileSync(done, '')
    }
    return folder
  } finally {
    lock.close()
  }
}
