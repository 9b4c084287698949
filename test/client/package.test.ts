import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { importProgram, typeCheckCommands } from '../harness/packages/consumer-programs.ts'
import { manifestOf } from '../harness/packages/manifests.ts'
import { bytesIn, tarballPath } from '../harness/packages/packed-client.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { fileOf, filesOf } from '../harness/packages/tarball.ts'

// An installation can take long on a slow network or disk.
const installTimeout = 300_000

let registry: Published
let tarball: Buffer
let alone: Stranger
let withViem: Stranger
beforeAll(async () => {
  registry = await publish()
  tarball = readFileSync(tarballPath(registry, 'client'))
  ;[alone, withViem] = [stranger(registry.url), stranger(registry.url)]
  for (const one of [alone, withViem]) one.write('package.json', '{"type":"module"}')
  await Promise.all([
    alone.run('npm install @heirloom/client'),
    withViem.run('npm install @heirloom/client viem'),
  ])
}, installTimeout)
afterAll(async () => {
  for (const one of [alone, withViem]) one?.remove()
  await registry?.close()
})

describe('the package @heirloom/client', () => {
  test('has no dependency, and viem as a peer with a range, for those who use it', () => {
    const { version, license } = manifestOf('http')
    const manifest = JSON.parse(fileOf(tarball, 'package.json'))
    expect(manifest).toMatchObject({ name: '@heirloom/client', version, license, type: 'module' })
    expect(manifest.dependencies ?? manifest.optionalDependencies).toBeUndefined()
    expect(manifest.peerDependencies).toEqual({ viem: expect.stringMatching(/^\^2\.\d+\.0$/) })
    expect(manifest.peerDependenciesMeta).toEqual({ viem: { optional: true } })
  })

  test('contains code, declarations, a licence and the licences of what is bundled', () => {
    const files = filesOf(tarball)
    const paths = [...files.keys()].map((path) => path.replace('package/', ''))
    const built =
      /^(LICENSE|NOTICES\.txt|README\.md|package\.json|(index|wallet|shared\/[\w-]+)\.(js|d\.ts))$/
    expect(paths.filter((path) => !built.test(path))).toEqual([])
    expect(files.get('package/NOTICES.txt')).toMatch(/^diff \d\S+ \(BSD-3-Clause\)\n/)
    for (const [path, text] of files) expect(text, path).not.toMatch(/\/packages\/|#region/)
  })

  test('passes publint', async () => {
    const bytes = Uint8Array.from(tarball).buffer
    expect((await publint({ pack: { tarball: bytes }, strict: true })).messages).toEqual([])
  })

  test('resolves its types in every mode', async () => {
    await alone.run(`attw --profile esm-only ${tarballPath(registry, 'client')}`)
  })

  test('has the exports of the entrances that it is made from', async () => {
    const sources = [await import('@heirloom/http/client'), await import('@heirloom/http/wallet')]
    withViem.write(
      'exports.mjs',
      `const names = ['@heirloom/client', '@heirloom/client/wallet']
       const all = await Promise.all(names.map((name) => import(name)))
       console.log(JSON.stringify(all.map((it) => Object.keys(it))))`,
    )
    const names = JSON.parse(await withViem.run('node exports.mjs'))
    expect(names).toEqual(sources.map((it) => Object.keys(it).toSorted()))
  })
})

describe('a user of the client', () => {
  test('installs less than a megabyte, and nothing else', () => {
    const modules = join(alone.folder, 'node_modules')
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['@heirloom'])
    expect(readdirSync(join(modules, '@heirloom'))).toEqual(['client'])
    expect(bytesIn(modules)).toBeLessThan(1_000_000)
  })

  test('compiles without viem and without skipping libraries, in both module resolutions', async () => {
    alone.write('consumer.ts', importProgram(['@heirloom/client']))
    withViem.write('consumer.ts', importProgram(['@heirloom/client', '@heirloom/client/wallet']))
    for (const command of typeCheckCommands) {
      const options = '--lib es2024,dom --types --exactOptionalPropertyTypes'
      await alone.run(`${command} ${options} consumer.ts`)
      await withViem.run(`${command} ${options} consumer.ts`)
    }
  })

  test.each([
    ['the client', () => alone, '@heirloom/client', 'it.createClient'],
    ['the wallet', () => withViem, '@heirloom/client/wallet', 'it.openWallet'],
  ])('bundles %s for a browser, where it needs no module of Node', async (_, of, name, use) => {
    const { folder, write, run } = of()
    write('bundled.mjs', `import * as it from '${name}'\nconsole.log(typeof ${use})\n`)
    const bundle = await rolldown({
      input: join(folder, 'bundled.mjs'),
      platform: 'browser',
      external: () => false,
    })
    const { output } = await bundle.generate({ entryFileNames: 'bundle.mjs' })
    await bundle.close()
    const chunks = output.filter((it) => it.type === 'chunk')
    const files = chunks.map(({ fileName }) => fileName)
    for (const { imports, fileName, code } of chunks) {
      expect(imports.filter((it) => !files.includes(it))).toEqual([])
      write(fileName, code)
    }
    // Neither exists in a browser; code that uses one fails here as it would there.
    const without =
      'delete globalThis.Buffer; delete globalThis.process; await import("./bundle.mjs")'
    write('browser.mjs', without)
    expect(await run('node browser.mjs')).toBe('function\n')
  })
})
