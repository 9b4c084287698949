import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { agent, memory } from '../../test/server-harness.ts'
import { webGlobals } from '../../test/web-globals.ts'
import type { createClient } from './client.ts'
import type { Progress } from './transport/decode-response.ts'

/** Bundles the client for a browser. */
async function bundleClient() {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'index.ts'),
    platform: 'browser',
    // Any other module stays an import, which the test detects.
    external: /^(?!diff$|@heirloom\/adapters\/internal\/(?:diff|scan)\/)[^./]|^\.\.\/\.\.\/\.\.\//,
  })
  const made = await bundle.generate({ format: 'esm', minify: true })
  const script = await bundle.generate({ format: 'iife', name: 'heirloom', minify: true })
  await bundle.close()
  const [chunk, ...others] = made.output
  return { chunk, others, script: script.output[0].code }
}

test('the client is one small file without imports, and loads what compares or scans when it is used', async () => {
  const { chunk, others } = await bundleClient()
  expect(chunk.imports).toEqual([])
  const parts = others.flatMap((it) => (it.type === 'chunk' ? [it] : []))
  expect([...chunk.dynamicImports].sort()).toEqual(
    parts
      .filter((it) => it.isDynamicEntry)
      .map((it) => it.fileName)
      .sort(),
  )
  const scanning = parts.filter((it) => it.moduleIds.every((id) => /\/src\/scan\//.test(id)))
  const rare = /(line-owner|find-unencodable|named-version)\.ts$/
  const reading = parts.filter((it) => it.moduleIds.every((id) => rare.test(id)))
  const comparing = parts.filter((it) => !scanning.includes(it) && !reading.includes(it))
  const compared = comparing.flatMap((it) => it.moduleIds)
  expect(compared.filter((id) => !/\/src\/diff\/|\/node_modules\/diff\//.test(id))).toEqual([])
  const sizeOf = (those: typeof parts) => gzipSync(those.map((it) => it.code).join('')).length
  expect(sizeOf(reading)).toBeLessThan(1_900)
  expect(sizeOf(comparing)).toBeLessThan(9_600)
  expect(sizeOf(scanning)).toBeLessThan(16_000)
  const elsewhere = chunk.moduleIds.filter((id) => !id.startsWith(import.meta.dirname))
  expect(elsewhere.map((id) => id.split('/src/')[1]).toSorted()).toEqual([
    'api/nearest-name.ts',
    'api/operations/paths.ts',
    'api/prices.ts',
    'api/signed-texts.ts',
  ])
  expect(gzipSync(chunk.code).length).toBeLessThan(13_500)
})

const { getRandomValues, subtle } = crypto
const random = { getRandomValues: getRandomValues.bind(crypto) }
const runtimes: readonly (readonly [string, object])[] = [
  ['a web runtime', { crypto: { ...random, subtle } }],
  ['a page', { crypto: { ...random, subtle }, document: {} }],
  ['a page loaded over plain HTTP', { crypto: random, document: {} }],
]

test.each(runtimes)('it works in %s', async (_, more) => {
  const { script } = await bundleClient()
  const { url, timers } = await openClientHarness()
  const runtime = createContext({ ...webGlobals(), ...more })
  expect(runInContext('[typeof process, typeof Buffer, typeof require]', runtime)).toEqual(
    Array(3).fill('undefined'),
  )
  const heirloom = runInContext(`${script};heirloom`, runtime)
  const create = heirloom.createClient as typeof createClient
  const client = create({ url, account: agent, timers })
  const steps: Progress[] = []
  const minted = await client.snapshot(memory, { onProgress: (it) => steps.push(it) })
  // A page cannot observe the progress of an upload.
  expect(steps.length).toBe('document' in more ? 1 : 2)
  const { data, metadata, contentHash } = await client.download(minted.tokenId)
  expect({ ...memory, contentHash }).toEqual({ data, metadata, contentHash: minted.contentHash })
  const events = client.events({ after: 'start' })
  expect((await events.next()).value).toMatchObject({ tokenId: minted.tokenId })
  await events.return()
  const refused = await client.info(9).catch((error) => error)
  expect(heirloom.isHeirloomError(refused, 'token/not-found')).toBe(true)
})
