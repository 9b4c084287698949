import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allPeers, clientEntrances, clientName } from '../../publish/client/entrances.ts'
import { foreignPackages, linkPackage } from '../harness/docs/guide.ts'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import {
  frameworksProgram,
  importProgram,
  typeCheckCommands,
} from '../harness/packages/consumer-programs.ts'
import { manifestOf } from '../harness/packages/manifests.ts'
import { bytesIn, tarballPath } from '../harness/packages/packed-client.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { fileOf, filesOf } from '../harness/packages/tarball.ts'

type Trio = [Stranger, Stranger, Stranger]

let registry: Published
let tarball: Buffer
let alone: Stranger
let withViem: Stranger
/** With the frameworks of the workspace, because installing them takes long. */
let withAll: Stranger
beforeAll(async () => {
  registry = await publish()
  tarball = readFileSync(tarballPath(registry, 'client'))
  ;[alone, withViem, withAll] = [registry.url, registry.url, registry.url].map(stranger) as Trio
  for (const one of [alone, withViem, withAll]) one.write('package.json', '{"type":"module"}')
  await alone.run('npm install @heirloom/client')
  await withViem.install('@heirloom/client viem')
  cpSync(join(alone.folder, 'node_modules'), join(withAll.folder, 'node_modules'), {
    recursive: true,
  })
  for (const name of [...new Set([...allPeers, ...foreignPackages])])
    linkPackage(join(withAll.folder, 'node_modules'), name)
})
afterAll(async () => {
  for (const one of [alone, withViem, withAll]) one?.remove()
  await registry?.close()
})

describe('the package @heirloom/client', () => {
  test('has no dependency, and optional peers with a range, for those who use them', () => {
    const { version, license } = manifestOf('http')
    const manifest = JSON.parse(fileOf(tarball, 'package.json'))
    expect(manifest).toMatchObject({ name: '@heirloom/client', version, license, type: 'module' })
    expect(manifest.dependencies ?? manifest.optionalDependencies).toBeUndefined()
    expect(manifest.peerDependencies.viem).toMatch(/^\^2\.\d+\.0$/)
    const peers = [...new Set(allPeers)].toSorted()
    expect(Object.keys(manifest.peerDependencies)).toEqual(peers)
    const optional = peers.map((name) => [name, { optional: true }])
    expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(optional))
  })

  test('contains code, declarations, a licence and the licences of what is bundled', () => {
    const files = filesOf(tarball)
    const paths = [...files.keys()].map((path) => path.replace('package/', ''))
    const names = clientEntrances.map(({ file }) => file).join('|')
    const built = new RegExp(
      `^(LICENSE|NOTICES\\.txt|README\\.md|package\\.json|(${names}|shared/[\\w-]+)\\.(js|d\\.ts))$`,
    )
    expect(paths.filter((path) => !built.test(path))).toEqual([])
    expect(files.get('package/NOTICES.txt')).toMatch(/^diff \d\S+ \(BSD-3-Clause\)\n/m)
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
    const folder = join(import.meta.dirname, '../../packages/http/src')
    const imported = clientEntrances.map((it) => import(join(folder, it.folder, 'index.ts')))
    const names = clientEntrances.map(({ path }) => join(clientName, path))
    withAll.write(
      'exports.mjs',
      `const all = await Promise.all(${JSON.stringify(names)}.map((name) => import(name)))
       console.log(JSON.stringify(all.map((it) => Object.keys(it))))`,
    )
    const exported = JSON.parse(await withAll.run('node exports.mjs'))
    expect(exported).toEqual((await Promise.all(imported)).map((it) => Object.keys(it).toSorted()))
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
    const withWallet = ['', '/wallet', '/webhooks'].map((path) => `@heirloom/client${path}`)
    withViem.write('consumer.ts', importProgram(withWallet))
    for (const command of typeCheckCommands) {
      const options = '--lib es2024,dom --types --exactOptionalPropertyTypes'
      await alone.run(`${command} ${options} consumer.ts`)
      await withViem.run(`${command} ${options} consumer.ts`)
    }
  })

  test('compiles a program of each framework', async () => {
    withAll.write('frameworks.ts', frameworksProgram)
    for (const command of typeCheckCommands)
      await withAll.run(`${command} --skipLibCheck --types --lib es2024,dom frameworks.ts`)
  })

  test.each([
    ['the memory of the AI SDK', () => alone, '@heirloom/client/ai-sdk', 'it.heirloomMemory'],
    ['a session', () => alone, '@heirloom/client/openai-agents', 'it.heirloomSession'],
    ['the receiver', () => alone, '@heirloom/client/webhooks', 'it.createWebhookReceiver'],
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
