import { Failure } from '@heirloom/core'
import { type S3Place, s3Objects } from '../platform/s3-objects.ts'
import { longestObject, type Objects } from './objects.ts'

/** The most names in one answer of a store. */
const longestPage = 1000

/** The time that one object may take with its retries, in milliseconds. */
const patience = 60_000

/** Opens the objects below the prefix of a bucket. Sends nothing yet. */
export function bucketObjects(at: S3Place): Objects {
  const place = `s3://${at.bucket}/${at.prefix}`
  const objects = s3Objects(at, { patience })
  const reach = async <T>(operation: string, act: Promise<T>): Promise<T> => {
    try {
      return await act
    } catch (cause) {
      throw new Failure('backup/unavailable', { place, operation }, { cause })
    }
  }
  const list = async () => {
    const found = new Map<string, number>()
    for (let last: string | undefined = ''; last !== undefined; ) {
      const page: readonly (readonly [string, number])[] = await objects.lengths(last, longestPage)
      for (const [name, length] of page) found.set(name, length)
      last = page.at(-1)?.[0]
    }
    return found
  }
  return {
    place,
    list: () => reach('list', list()),
    get: (name) => reach(`read ${name}`, objects.get(name, longestObject)),
    put: (name, bytes) => reach(`write ${name}`, objects.put(name, bytes)),
    remove: (name) => reach(`remove ${name}`, objects.remove(name)),
    close: objects.close,
  }
}
