import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { s3BlobStorage } from '@heirloom/adapters/blob-store/s3'
import { type Digest, type OpenBlobStore, whileOpen } from '@heirloom/core'
import { blobStorageLaws, blobStoreLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import fc from 'fast-check'
import { base16 } from 'multiformats/bases/base16'
import { CID } from 'multiformats/cid'
import { afterAll, describe, expect, test } from 'vitest'
import { heliaBlobStorage } from '../../packages/adapters/src/blob-store/helia.ts'
import { blockFiles } from '../../packages/adapters/src/blob-store/test/folders.ts'
import { sharedBucket } from '../harness/process/shared-bucket.ts'

const bucket = sharedBucket()

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bucket-notes-'))
  folders.push(folder)
  return folder
}

let prefixes = 0
const newPrefix = () => `test-${prefixes++}/`

const storageAt = (prefix: string) =>
  s3BlobStorage({
    place: { ...bucket.place, prefix },
    folder: newFolder(),
    credentials: bucket.credentials,
  })

const objectOf = (digest: Digest) => `${digest.slice(-2)}/1220${digest.slice(2)}`

// Each case is many requests to a store that answers in milliseconds, not in microseconds.
const runs = fc.readConfigureGlobal().numRuns ?? 100
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Math.ceil(runs / 25) })

describeLaws('s3 blob store', blobStoreLaws, {
  open: () => storageAt(newPrefix()).open(),
  close: (store: OpenBlobStore) => store.close(),
})

describeLaws('s3 blob storage', blobStorageLaws, {
  open: async () => {
    const prefix = newPrefix()
    return {
      storage: storageAt(prefix),
      beside: storageAt(prefix),
      damage: (name: Digest) => bucket.overwrite(prefix + objectOf(name), randomBytes(9)),
    }
  },
})

describe('a bucket', () => {
  test.each([1, 200_000, 3 * 2 ** 20])(
    'has the blocks that a folder has, under the same names: a blob of %i bytes',
    async (length) => {
      const [prefix, folder] = [newPrefix(), newFolder()]
      const bytes = randomBytes(length)
      const put = (store: OpenBlobStore) => store.put(bytes, 1000)
      const name = await whileOpen(storageAt(prefix), put)
      expect(await whileOpen(heliaBlobStorage({ folder }), put)).toBe(name)
      const files = (await blockFiles(folder)).map((file) => relative(join(folder, 'blocks'), file))
      expect(await bucket.list(prefix)).toEqual(files.toSorted())
      for (const file of files) {
        const block = await bucket.read(prefix + file)
        expect(block.equals(readFileSync(join(folder, 'blocks', file)))).toBe(true)
        // f is hexadecimal, 01 the version of the CID, 55 the codec of raw blocks.
        const { multihash } = CID.parse(`f0155${basename(file)}`, base16)
        expect(createHash('sha256').update(block).digest().equals(multihash.digest)).toBe(true)
      }
    },
  )
})

test('a bucket that keeps what is removed is told to the operator', async () => {
  const { warnings } = storageAt(newPrefix())
  expect(await warnings?.()).toEqual([])
  await bucket.keepVersions()
  expect(await warnings?.()).toEqual([expect.stringContaining('versioning')])
})
