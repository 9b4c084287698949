import { type BlobStore, type Digest, isFailure, type Provenance } from '@heirloom/core'
import { packsOf, readVersion } from '../../server/packs/packs-of.ts'

type Versions = readonly Pick<Provenance, 'digest'>[]

/**
 * Returns the bytes that each version added to those before it, without its card; those of a blob that
 * is not here whole are 0. `earlier` are the versions that the first one came after.
 */
export async function versionSizes(
  get: BlobStore['get'],
  earlier: Versions,
  versions: Versions,
): Promise<ReadonlyMap<Digest, number>> {
  const known = new Set<Digest>()
  const sizes = new Map<Digest, number>()
  const last = earlier.at(-1)
  const head = last && (await orAbsent(get(last.digest)))
  for (const pack of head === undefined ? [] : packsOf(head)) known.add(pack)
  for (const { digest } of versions) {
    sizes.set(digest, (await orAbsent(readVersion({ get }, digest, known))) ?? 0)
  }
  return sizes
}

async function orAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (absent.some((code) => isFailure(error, code))) return undefined
    throw error
  }
}

const absent = ['blob/not-found', 'blob/corrupt', 'memory/erased'] as const
