import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { read } from '../docs/docs.ts'
import { publicAccount } from '../harness/copier.ts'
import { stepsOf } from '../harness/docs/guide.ts'
import { type ObjectStore, startObjectStore } from '../harness/process/object-store.ts'
import { startServer } from '../harness/process/server.ts'
import { countedSeals, sealerAt } from '../harness/sealer.ts'

const wallet = publicAccount(5)

let home: string
let bucket: ObjectStore
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'bucket-'))
  bucket = await startObjectStore()
  onTestFinished(async () => {
    await bucket.close()
    rmSync(home, { recursive: true })
  })
  const [, adapter] = stepsOf(read('docs/guides/adapter.md')).flatMap((it) =>
    it.kind === 'file' && it.name === 's3-blob-store.ts' ? [it.name, it.content] : [],
  )
  writeFileSync(join(home, 's3-blob-store.ts'), adapter ?? '')
  symlinkSync(
    join(import.meta.dirname, '../../packages/http/node_modules'),
    join(home, 'node_modules'),
  )
})

/** Starts a server whose blobs are in the bucket. */
async function serverAt(environment: Readonly<Record<string, string>> = {}) {
  const server = await startServer({
    DATA_DIR: join(home, 'data'),
    BLOB_URL: bucket.url,
    BLOB_STORE: join(home, 's3-blob-store.ts'),
    ...environment,
  })
  onTestFinished(() => void server.end('SIGKILL'))
  return server
}

describe('a server whose blobs are in a bucket', () => {
  test('keeps a sealed memory over a kill, until its wallet mints it and ever after', async () => {
    const first = await serverAt()
    const sealed = await (await sealerAt(first.url, wallet)).seal('in the bucket')
    expect([sealed.status, bucket.objects.size]).toEqual([201, 1])
    await first.end('SIGKILL')
    const second = await serverAt()
    const id = await (await sealerAt(second.url, wallet)).mint(sealed)
    await expect.poll(() => countedSeals(second.url, 'minted')).toBe(1)
    await second.end('SIGKILL')
    const third = await serverAt()
    expect(await (await sealerAt(third.url, wallet)).open(id)).toEqual([200, 'in the bucket'])
  })

  test('removes from the bucket what its wallet never mints', async () => {
    const { url } = await serverAt({ SEAL_SECONDS: '1' })
    const sealer = await sealerAt(url, wallet)
    const id = await sealer.mint(await sealer.seal('minted'))
    expect(await sealer.seal('never minted')).toMatchObject({ status: 201 })
    await expect.poll(() => bucket.objects.size).toBe(1)
    expect(await sealer.open(id)).toEqual([200, 'minted'])
  })
})
