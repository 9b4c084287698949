/** Named bytes in a folder or in a bucket. A name is a path with slashes. */
export type Objects = {
  /** The place for people; it contains no password. */
  readonly place: string
  /**
   * Returns the names of all objects with their lengths in bytes.
   *
   * @throws `backup/unavailable`
   */
  list(): Promise<ReadonlyMap<string, number>>
  /**
   * Returns the bytes of an object; `undefined` when there is none.
   *
   * @throws `backup/unavailable`
   */
  get(name: string): Promise<Uint8Array | undefined>
  /**
   * Stores an object, whole and durable when it returns, in the place of any of its name.
   *
   * @throws `backup/unavailable`
   */
  put(name: string, bytes: Uint8Array): Promise<void>
  /**
   * Removes an object, if there is one.
   *
   * @throws `backup/unavailable`
   */
  remove(name: string): Promise<void>
  /** Frees the place for other processes. */
  close(): void
}

/** The objects that are read or written at the same time. */
export const width = 24

/** The longest object, in bytes: that of a manifest, whose parts have a digest for each chunk. */
export const longestObject = 2 ** 28

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
