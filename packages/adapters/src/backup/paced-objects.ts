import { setTimeout as pause } from 'node:timers/promises'
import type { Objects } from './objects.ts'

/**
 * Returns objects that are stored one at a time while somebody else needs the disk, with a rest after
 * each that is as long as its storing took; at full speed otherwise. So a backup takes at most half
 * of the disk's time from a server that writes.
 */
export function pacedObjects(objects: Objects, isNeeded: () => boolean): Objects {
  let last: Promise<void> = Promise.resolve()
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const done = last.then(act)
    // A failure is that of one object; the next one has its turn all the same.
    last = done.catch(() => {})
    return done
  }
  const putAndRest = async (name: string, bytes: Uint8Array) => {
    const startedAt = performance.now()
    await objects.put(name, bytes)
    await pause(performance.now() - startedAt)
  }
  return {
    ...objects,
    put: (name, bytes) =>
      isNeeded() ? inTurn(() => putAndRest(name, bytes)) : objects.put(name, bytes),
  }
}
