import type { Objects } from './objects.ts'

/** The objects that are stored at the same time while somebody else needs the disk. */
export const busyWidth = 8

/**
 * Returns objects of which only a few are stored at the same time while somebody else needs the disk, so
 * that a server that writes meanwhile has the larger part of it. Not fewer: a backup that is slower than
 * the writes beside it never ends.
 */
export function pacedObjects(objects: Objects, isNeeded: () => boolean): Objects {
  const lanes = Array.from({ length: busyWidth }, () => Promise.resolve())
  let next = 0
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const lane = next++ % busyWidth
    const done = (lanes[lane] ?? Promise.resolve()).then(act)
    // A failure is that of one object; the next one has its turn all the same.
    lanes[lane] = done.catch(() => undefined)
    return done
  }
  return {
    ...objects,
    put: (name, bytes) =>
      isNeeded() ? inTurn(() => objects.put(name, bytes)) : objects.put(name, bytes),
  }
}
