import { statfs } from 'node:fs/promises'

/** The part of a disk that copies of other nodes leave free: one in so many. */
const freePart = 10

/** Returns a function that reports whether the disk of a folder has room for copies of peers. */
export const roomForCopies =
  (folder: string) =>
  async (bytes: number): Promise<boolean> => {
    const { bavail, blocks, bsize } = await statfs(folder)
    return bavail * bsize - bytes >= (blocks * bsize) / freePart
  }

/** Returns an equal part, for each of so many peers, of what copies may take of a disk, in bytes. */
export async function equalPart(folder: string, peers: number): Promise<number> {
  const { blocks, bsize } = await statfs(folder)
  return Math.floor((blocks * bsize * (1 - 1 / freePart)) / Math.max(peers, 1))
}
