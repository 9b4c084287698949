/** A file of an export, which is read in pieces as often as needed. */
export type ArchiveEntry = {
  readonly path: string
  readonly bytes: number
  /**
   * Returns the bytes in pieces.
   *
   * @throws `import/malformed` where they are not what the archive says of them
   */
  readonly read: () => AsyncIterable<Uint8Array>
}

/** The files of an export that are read, and the paths of all others. */
export type ArchiveEntries = {
  readonly entries: readonly ArchiveEntry[]
  readonly others: readonly string[]
  readonly close: () => Promise<void>
}

/** Returns whether a file of an export has conversations, projects or memories. */
export function isContentFile(path: string): boolean {
  if (/(?:^|\/)(?:__MACOSX\/|\._)/.test(path)) return false
  return (
    /(?:^|\/)(?:conversations(?:-\d{1,6})?|projects|memories)\.json$/.test(path) ||
    /(?:^|\/)(?:projects|memories)\/[^/]+\.json$/.test(path)
  )
}

/**
 * The bounds of an export that is read: entries of a zip, bytes of all entries that are read, the
 * most bytes that one byte of a zip may expand to (beyond the first 64 MiB of an entry), items, and
 * bytes of one item, which has to fit into a memory.
 */
export const archiveLimits = {
  entries: 100_000,
  bytes: 8 * 2 ** 30,
  expansion: 200,
  items: 1_000_000,
  itemBytes: 48 * 2 ** 20,
} as const
