import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFailure } from '@heirloom/core'
import { blobStoreLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { blobStorageOf } from './open-blob-storage.ts'
import { serve } from './serve.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modules-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a module, and returns its path. */
function moduleOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** A storage that is a class with its own copy of the failures, as a packed module may have. */
const ownCopy = `
import { createHash } from 'node:crypto'

class Failure extends Error {
  name = 'Failure'
  constructor(code, facts) {
    super(code)
    Object.assign(this, { code, facts })
  }
}

const blobs = new Map()

class Store {
  local = this
  async put(bytes) {
    const name = '0x' + createHash('sha256').update(bytes).digest('hex')
    blobs.set(name, Uint8Array.from(bytes))
    return name
  }
  async get(digest) {
    if (!blobs.has(digest)) throw new Failure('blob/not-found', { digest })
    return blobs.get(digest)
  }
  head(digest) { return this.get(digest) }
  async remove(digest) { blobs.delete(digest) }
  async claim() {}
  async sweep() {}
  async close() {}
}

export class Storage {
  async open() { return new Store() }
}
export const blobStorage = () => new Storage()
`

describeLaws('a module with a class and its own failures', blobStoreLaws, {
  open: async () => {
    const { blobStore } = readConfig({ BLOB_STORE: moduleOf('own-copy.js', ownCopy) })
    return (await blobStorageOf({ blobStore, network: undefined }, { folder })).open()
  },
})

test.each([
  ['absent.js', undefined, 'cannot be loaded'],
  ['broken.js', 'throw new Error("secret")', 'cannot be loaded'],
  ['other.js', 'export const storage = 1', 'does not export the function blobStorage'],
  ['without-url.js', 'export const blobStorage = ({ url }) => new URL(url)', 'BLOB_URL'],
  [
    'half.js',
    'export const blobStorage = () => ({ open: async () => ({ put() {}, get() {}, head() {}, local: { get() {} }, remove() {}, close() {} }) })',
    'whose store has no claim, sweep, local.head',
  ],
])('a server refuses the module %s', async (name, text, problem) => {
  const path = text === undefined ? join(folder, name) : moduleOf(name, text)
  const DATA_DIR = join(folder, `data of ${name}`)
  const config = readConfig({ DATA_DIR, PORT: '0', LOG_LEVEL: 'silent', BLOB_STORE: path })
  const error = await serve(config).catch((it: unknown) => it)
  if (!isFailure(error, 'config/invalid')) throw error
  expect(error.facts.name).toBe('BLOB_STORE')
  expect(error.message).toContain(problem)
  expect(error.message).not.toContain('secret')
})
