import { statfs } from 'node:fs/promises'
import { Failure } from '@heirloom/core'

/** The free disk space that a server needs, in bytes. */
export const leastFree = 64 * 2 ** 20

/** Returns the bytes that this user may still write to the disk of a folder. */
export async function freeDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Requires free space on the disk of a folder.
 *
 * @throws `folder/unusable`
 */
export async function requireFreeDisk(folder: string, least = leastFree): Promise<void> {
  if ((await freeDisk(folder)) >= least) return
  const problem = `it is on a disk with less than ${least / 2 ** 20} MiB free`
  throw new Failure('folder/unusable', { folder, problem })
}
