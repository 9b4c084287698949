import { randomBytes } from 'node:crypto'
import type { BlobVerification } from '@heirloom/core'
import type { S3Objects } from '../../platform/s3-objects.ts'
import { nameOfBytes, pathOf } from '../cid.ts'
import { longestBlock } from './s3-blocks.ts'

/** The objects that are read at the same time. */
const width = 8

/** The most names in one answer of a store. */
const longestPage = 1000

/**
 * Checks a sample of the blocks in a bucket, at most `limit` of them. Their names are random, so
 * those after a random name are one.
 *
 * @throws ObjectStoreError
 */
export async function verifyObjects(objects: S3Objects, limit: number): Promise<BlobVerification> {
  const start = pathOf(nameOfBytes(randomBytes(32)))
  const after = await blocksAfter(objects, { after: start, limit })
  // At the end of the bucket the sample goes on at its beginning.
  const before = await blocksAfter(objects, { after: '', limit: limit - after.length })
  const names = [...new Set([...after, ...before])]
  const corrupt: string[] = []
  let checked = 0
  for (let at = 0; at < names.length; at += width) {
    const states = await Promise.all(
      names.slice(at, at + width).map((name) => stateOf(objects, name)),
    )
    checked += states.filter((state) => state !== 'absent').length
    corrupt.push(...names.slice(at, at + width).filter((_, index) => states[index] === 'corrupt'))
  }
  return { checked, corrupt: corrupt.map((path) => path.slice(path.indexOf('/') + 1)) }
}

type Range = { readonly after: string; readonly limit: number }

async function blocksAfter(objects: S3Objects, { after, limit }: Range) {
  const found: string[] = []
  for (let last: string | undefined = after; last !== undefined && found.length < limit; ) {
    const page: readonly string[] = await objects.list(last, longestPage)
    found.push(...page.filter((name) => /^[0-9a-f]{2}\/1220[0-9a-f]{64}$/.test(name)))
    last = page.at(-1)
  }
  return found.slice(0, Math.max(limit, 0))
}

async function stateOf(objects: S3Objects, path: string): Promise<'intact' | 'corrupt' | 'absent'> {
  const bytes = await objects.get(path, longestBlock + 1)
  // A store that is open may remove a block meanwhile.
  if (bytes === undefined) return 'absent'
  return pathOf(nameOfBytes(bytes)) === path ? 'intact' : 'corrupt'
}
