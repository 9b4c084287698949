import { totalmem } from 'node:os'

/** The memory that a block of the embedded chain takes in its process, in bytes. */
export const bytesPerBlock = 22_000

/** The longest embedded chain on any machine, in blocks: a start executes it for some minutes. */
const longest = 500_000

/**
 * Returns the number of blocks up to which an embedded chain suits a machine: half of its memory
 * holds them. The chain goes on above it, until the memory is used up.
 */
export const chainCeiling = (memory = availableMemory()): number =>
  Math.min(longest, Math.floor(memory / 2 / bytesPerBlock))

/** Returns the memory of this machine, or of the container that limits it, in bytes. */
function availableMemory(): number {
  const limit = process.constrainedMemory()
  // Without a limit the system reports 0, or a number far above any memory.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
