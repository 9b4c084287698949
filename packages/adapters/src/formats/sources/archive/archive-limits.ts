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
