import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openReader, type Reader, type Step, stepsOf } from '../harness/docs/guide.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { type ObjectStore, startObjectStore } from '../harness/process/object-store.ts'
import { read } from './docs.ts'

const [proof = '', running = ''] = read('docs/guides/adapter.md').split('## Run a server with it')
const adapter = stepsOf(proof).filter((it) => it.kind === 'file' && it.name === 's3-blob-store.ts')

let bucket: ObjectStore
let registry: Published
let reader: Reader
beforeAll(async () => {
  registry = await publish()
})
afterAll(() => registry.close())
beforeEach(async () => {
  bucket = await startObjectStore()
  reader = await openReader({ packed: registry })
})
afterEach(async () => {
  await reader.close()
  await bucket.close()
})

const steps = (): readonly Step[] => [
  ...adapter,
  ...stepsOf(running.replaceAll('http://127.0.0.1:9000/memories/', bucket.url)),
]

it('a server runs with the adapter of the guide, and doctor checks it', async () => {
  await reader.follow(steps())
  const names = [...bucket.objects.keys()]
  expect(names.length).toBeGreaterThan(0)
  // What doctor put under its own prefix is removed.
  for (const name of names) expect(name).toMatch(/^\/memories\/[0-9a-f]{64}$/)
})
