import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { blobModule } from '../../../../test/blob-module.ts'
import { runDoctor } from '../../../../test/installation.ts'
import { blobStorageOf } from '../../../server/open-blob-storage.ts'

const url = 'https://store.example/'

/** Runs doctor with a module whose place is a JavaScript expression, on a store with one blob. */
async function doctorWith(place: string) {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'doctor-'))
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }))
  const BLOB_STORE = join(DATA_DIR, 'module.js')
  writeFileSync(BLOB_STORE, blobModule(place))
  const config = {
    blobStore: { kind: 'module' as const, module: BLOB_STORE, url },
    network: undefined,
  }
  mkdirSync(join(DATA_DIR, 'blob-store'))
  const storage = await blobStorageOf(config, { folder: join(DATA_DIR, 'blob-store') })
  const server = await storage.open()
  const name = await server.put(Uint8Array.of(1, 2, 3))
  const findings = await runDoctor({ DATA_DIR, BLOB_STORE, BLOB_URL: url })
  const left = readdirSync(DATA_DIR).filter((it) => it.startsWith('doctor-'))
  const laws = findings.find((it) => it.name === 'blob-store-laws')
  return { laws, left, blob: await server.get(name) }
}

test('doctor checks the laws of a module apart from the blobs of a server', async () => {
  const { laws, left, blob } = await doctorWith('url + prefix')
  expect(laws).toMatchObject({ level: 'ok', sentence: expect.stringMatching(/^All \d+ laws/) })
  expect([left, blob]).toEqual([[], Uint8Array.of(1, 2, 3)])
})

test('doctor checks no law of a module that ignores prefix', async () => {
  const { laws, left, blob } = await doctorWith('url')
  const sentence = expect.stringContaining('ignores prefix')
  expect(laws).toMatchObject({ level: 'fail', sentence })
  expect([left, blob]).toEqual([[], Uint8Array.of(1, 2, 3)])
})
