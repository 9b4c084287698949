import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { longestWait } from '../../tier.ts'

/**
 * Makes a folder for all test files of a run, unless another file did, and returns its path. Other
 * processes wait meanwhile.
 */
export async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(inject('runFolder'), name)
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
