import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { isFailure } from '@heirloom/core'
import { blobStorageLaws, blobStoreLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { blobModule } from '../../test/blob-module.ts'
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

const openModule = async (text: string) => {
  const { blobStore } = readConfig({ BLOB_STORE: moduleOf('own-copy.js', text) })
  return blobStorageOf({ blobStore, network: undefined }, { folder: mkdtempSync(`${folder}/`) })
}

describeLaws('a module with a class and its own failures', blobStoreLaws, {
  open: async () => (await openModule(blobModule())).open(),
})
describeLaws('the storage of such a module', blobStorageLaws, {
  open: async () => ({
    storage: await openModule(blobModule()),
    beside: await openModule(blobModule()),
  }),
})

test('a package is the one of the working directory, by its exports for import', async () => {
  const home = process.cwd()
  const installed = join(folder, 'node_modules/@someone/esm-only')
  mkdirSync(installed, { recursive: true })
  const exports = { './store': { import: './store.js' } }
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ type: 'module', exports }))
  writeFileSync(join(installed, 'store.js'), blobModule())
  onTestFinished(() => process.chdir(home))
  process.chdir(folder)
  const { blobStore } = readConfig({ BLOB_STORE: '@someone/esm-only/store' })
  const storage = await blobStorageOf({ blobStore, network: undefined }, { folder })
  const store = await storage.open()
  expect(await store.get(await store.put(Uint8Array.of(1)))).toEqual(Uint8Array.of(1))
})

test.each([
  ['absent.js', undefined, 'cannot be loaded'],
  ['broken.js', 'throw new Error("secret")', 'cannot be loaded'],
  ['other.js', 'export const storage = 1', 'does not export the function blobStorage'],
  ['without-url.js', 'export const blobStorage = ({ url }) => new URL(url)', 'BLOB_URL'],
  ['async.js', 'export const blobStorage = async () => ({ open() {} })', 'an object with open'],
  ['async-fails.js', 'export async function blobStorage() { throw 1 }', 'an object with open'],
  ['without-open.js', 'export const blobStorage = () => ({})', 'an object with open'],
  ['nothing.js', 'export const blobStorage = () => undefined', 'an object with open'],
  ['no-store.js', 'export const blobStorage = () => ({ open() {} })', 'whose store has no put'],
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

test.each([
  ['open', 'export const blobStorage = ({ url }) => ({ open() { throw new Error(url) } })'],
  ['sweep', `${blobModule()}\nStore.prototype.sweep = async () => { throw new Error('secret') }`],
])('a start that fails in %s is `blob/unavailable`, without BLOB_URL', async (name, text) => {
  const DATA_DIR = mkdtempSync(`${folder}/`)
  const BLOB_URL = 'https://user:secret@store.example/'
  const BLOB_STORE = moduleOf(`failing-${name}.js`, text)
  const config = readConfig({ DATA_DIR, PORT: '0', LOG_LEVEL: 'silent', BLOB_STORE, BLOB_URL })
  const error = await serve(config).catch((it: unknown) => it)
  expect(error).toMatchObject({ code: 'blob/unavailable' })
  expect(inspect(error, { depth: 9 })).not.toContain('secret')
})
