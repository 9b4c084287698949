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
