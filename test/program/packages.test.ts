import { existsSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Reference, referencePages } from '../../publish/reference-pages.ts'
import { read } from '../docs/docs.ts'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import {
  blobExchangeProgram,
  coreProgram,
  importProgram,
  olderTypesProgram,
  typeCheckCommands,
} from '../harness/packages/consumer-programs.ts'
import { packages } from '../harness/packages/copy-workspace.ts'
import { expectToServe } from '../harness/packages/expect-to-serve.ts'
import { entrances, manifestOf } from '../harness/packages/manifests.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { documentedType, typeErrorsOf } from '../harness/packages/reference-types.ts'
import { filesOf } from '../harness/packages/tarball.ts'

let copy: string
let registry: Published
beforeAll(async () => {
  registry = await publish()
  copy = registry.workspace
})
afterAll(() => registry.close())

const tarballOf = (name: string): Buffer =>
  readFileSync(join(copy, 'tarballs', `heirloom-${name}-0.2.0.tgz`))

describe.each(packages)('the package %s', (name) => {
  let files: ReadonlyMap<string, string>
  beforeAll(() => {
    files = filesOf(tarballOf(name))
  })

  test('publishes a built file for every export of the workspace', () => {
    const { exports, bin, publishConfig } = manifestOf(name)
    const built = Object.entries(exports).map(([path, source]) => [
      path,
      source.replace('./src/', './lib/').replace(/\.ts$/, '.js'),
    ])
    expect(publishConfig.exports).toEqual(Object.fromEntries(built))
    expect(Object.keys(publishConfig.bin ?? {})).toEqual(Object.keys(bin ?? {}))
    const published = JSON.parse(files.get('package/package.json') ?? '')
    const { access: _, ...applied } = publishConfig
    expect(published).toMatchObject(applied)
  })

  test('contains its library, and no tests or sources', () => {
    const paths = [...files.keys()].map((path) => path.replace('package/', ''))
    const own = name === 'http' ? ['python/heirloom.py'] : []
    for (const needed of ['LICENSE', 'README.md', 'package.json', ...own])
      expect(paths).toContain(needed)
    const built =
      /^(LICENSE|README\.md|package\.json|lib\/.+\.(js|d\.ts)|lib\/NOTICES\.txt|(agents|dist)\/.+|python\/heirloom\.py)$/
    expect(paths.filter((path) => !built.test(path))).toEqual([])
    expect(paths.filter((path) => /\.test\.|\/test\/|broken/.test(path))).toEqual([])
  })

  test('contains the licences of bundled packages', () => {
    const notices = [...files].filter(([path]) => path.endsWith('NOTICES.txt')).map(([, it]) => it)
    const bundled = { adapters: ['helia'], http: ['fastify', 'preact'] }[name as string] ?? []
    for (const one of bundled) {
      const notice = new RegExp(
        `^${one} \\d\\S+ \\(.*MIT.*\\)\n\n[^]*?Permission is hereby granted`,
        'm',
      )
      expect(notices.join('\n')).toMatch(notice)
    }
    expect(notices.length > 0).toBe(bundled.length > 0)
    expect(notices.join('\n')).not.toContain('undefined')
  })

  test('has no dependency that none of its files imports', () => {
    const { dependencies = {} } = JSON.parse(files.get('package/package.json') ?? '')
    const code = [...files]
      .filter(([path]) => /\.(js|d\.ts)$/.test(path))
      .map(([, text]) => text.replace(/\/\*[\s\S]*?\*\//g, ''))
    // Also what `createRequire` loads, which no bundler follows.
    const isImported = (dependency: string) => {
      const named = `["'\`]${dependency.replaceAll('.', '\\.')}(/[^"'\`]*)?["'\`]`
      const pattern = new RegExp(`(from|import|(import|require|url\\))\\()\\s*${named}`)
      return code.some((it) => pattern.test(it))
    }
    expect(Object.keys(dependencies).filter((it) => !isImported(it))).toEqual([])
  })

  test('accepts a newer viem, so that npm needs no second copy beside it', () => {
    const { dependencies = {} } = JSON.parse(files.get('package/package.json') ?? '')
    expect(dependencies.viem ?? '^2.57.0').toBe('^2.57.0')
  })

  test('passes publint', async () => {
    const tarball = Uint8Array.from(tarballOf(name)).buffer
    expect((await publint({ pack: { tarball }, strict: true })).messages).toEqual([])
  })

  // ESM only: every supported Node can `require` an ES module.
  test('resolves its types in every mode', async () => {
    const outside = stranger(registry.url)
    const tarball = join(copy, 'tarballs', `heirloom-${name}-0.2.0.tgz`)
    await outside.run(`attw --profile esm-only ${tarball}`)
    outside.remove()
  })
})

describe('the reference', () => {
  let reference: Reference
  beforeAll(() => {
    reference = referencePages(copy)
  })

  test('has a docstring for every export', () => {
    expect(reference.gaps).toEqual([])
  })

  test('has the names of publish/names.txt; `pnpm reference` writes them anew', () => {
    expect(read('publish/names.txt')).toBe(reference.names)
  })

  test('has the types of requests and responses that the client has', () => {
    expect(typeErrorsOf(reference.pages.get('client.md') ?? '')).toBe('')
  })

  test('describes every field of a response', () => {
    const page = reference.pages.get('client.md') ?? ''
    for (const name of ['Token', 'Listing', 'Lineage', 'Minted', 'Wallet', 'Deployment']) {
      const fields = documentedType(page, name).matchAll(
        /^( *)(\/\*\*.*\*\/|\*\/)?\n? *readonly (\w+)\??:/gm,
      )
      for (const [, , comment, field] of fields)
        expect([name, field, comment]).not.toContain(undefined)
    }
  })
})

describe('a user of the published packages', () => {
  /** A project that depends on all packages. */
  let all: Stranger
  const others: Stranger[] = []
  beforeAll(async () => {
    all = stranger(registry.url)
    await all.install(`${packages.map((it) => `@heirloom/${it}`).join(' ')} vitest @types/node`)
  })
  afterAll(() => {
    for (const { remove } of [all, ...others]) remove()
  })

  function another(): Stranger {
    const one = stranger(registry.url)
    others.push(one)
    return one
  }

  test('installs nothing with the core but the core, which needs no other types', async () => {
    const alone = another()
    await alone.run('npm install @heirloom/core')
    const modules = join(alone.folder, 'node_modules')
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['@heirloom'])
    expect(readdirSync(join(modules, '@heirloom'))).toEqual(['core'])
    alone.write('consumer.ts', coreProgram)
    for (const command of typeCheckCommands) await alone.run(`${command} --lib es2024 consumer.ts`)
  })

  test('installs no test library with the server, whose doctor checks the laws all the same', async () => {
    const installed = dependenciesOf(all.folder, '@heirloom/http')
    expect(installed).toContain('@heirloom/adapters')
    expect(installed.filter((name) => /^(fast-check|@heirloom\/testkit)$/.test(name))).toEqual([])
    await (await all.serve('npx heirloom serve')).end()
    const report = await all.run('npx heirloom doctor')
    expect(report).toMatch(/^ok +blob-store-laws +All \d+ laws hold here\.$/m)
  })

  test('can type-check every export, in both module resolutions', async () => {
    all.write('consumer.ts', importProgram(entrances))
    for (const command of typeCheckCommands) {
      await all.run(`${command} --lib es2024,dom --types node consumer.ts`)
    }
  })

  test('can type-check with TypeScript 5.5, but for declarations of other packages', async () => {
    const client = ['', '/wallet', '/webhooks'].map((path) => `@heirloom/client${path}`)
    all.write('strict.mts', importProgram(['@heirloom/core', ...client]))
    all.write('lenient.mts', importProgram(entrances))
    const compiler = '../../node_modules/typescript-5.5/lib/typescript.js'
    all.write('older-types.mjs', olderTypesProgram(join(import.meta.dirname, compiler)))
    expect(await all.run('node older-types.mjs')).toBe('')
  })

  test('installs the command line in 60 MB, and the server only to serve', async () => {
    const alone = another()
    await alone.run('npm install @heirloom/cli')
    const modules = join(alone.folder, 'node_modules')
    expect(sizeOf(modules)).toBeLessThan(60_000_000)
    expect(dependenciesOf(alone.folder, '@heirloom/cli')).toEqual(['@heirloom/cli', 'hash-wasm'])
    expect(await alone.run('npx heirloom --version')).toMatch(/^0\.2\.0/)
    expect(await alone.run('npx heirloom serve --help')).toContain('Starts the server')
    expect(await alone.run('npx heirloom doctor')).toMatch(/^ok +config /m)
    for (const call of ['serve', 'serve --port 0'])
      await expect(alone.run(`npx heirloom ${call}`)).rejects.toThrow('npm install @heirloom/http')
    const server = join(all.folder, 'node_modules/@heirloom/http')
    symlinkSync(realpathSync(server), join(modules, '@heirloom/http'))
    for (const call of ['serve', 'serve --port 0'])
      await (await alone.serve(`npx heirloom ${call}`)).end()
  })

  test('has a command line that passes publint', async () => {
    const tarball = Uint8Array.from(tarballOf('cli')).buffer
    expect((await publint({ pack: { tarball }, strict: true })).messages).toEqual([])
  })

  test('can import every export, under any condition', async () => {
    const unneeded = '@heirloom/testkit/vitest'
    all.write('imports.mjs', importProgram(entrances.filter((name) => name !== unneeded)))
    for (const condition of ['', ' --conditions=browser']) {
      await all.run(`node${condition} imports.mjs`)
    }
  })

  test('can seal in a worker and exchange blocks over IPFS', async () => {
    all.write('exchange.mjs', blobExchangeProgram)
    expect(await all.run('node exchange.mjs')).toBe('0\n')
  })

  const forBrowsers = [
    ['@heirloom/core', 'console.log(typeof it.memoryService, it.wei(5n))', 'function 5n'],
    ['@heirloom/http/client', 'console.log(typeof it.createClient)', 'function'],
  ].filter(([name = '']) => entrances.includes(name))

  test.each(forBrowsers)('can bundle %s for a browser', async (name, use, printed) => {
    all.write('bundled.mjs', `import * as it from '${name}'\n${use}\n`)
    const bundle = await rolldown({
      input: join(all.folder, 'bundled.mjs'),
      platform: 'browser',
      external: () => false,
    })
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: 'bundle.mjs',
      chunkFileNames: '[name]-[hash].mjs',
    })
    const chunks = output.filter((it) => it.type === 'chunk')
    const files = chunks.map((it) => it.fileName)
    for (const { imports, fileName, code } of chunks) {
      expect(imports.filter((it) => !files.includes(it))).toEqual([])
      all.write(fileName, code)
    }
    expect(await all.run('node bundle.mjs')).toBe(`${printed}\n`)
  })

  test('can start the server with npx, and store small and large memories', async () => {
    await expectToServe(all, 'npx @heirloom/http serve')
  })

  // The long tier runs it on a real Node 20.
  test('sees the required version on an older Node', async () => {
    all.write(
      'older.mjs',
      "Object.defineProperty(process.versions, 'node', { value: '20.19.0' })\n",
    )
    const program = 'node_modules/@heirloom/http/dist/cli.js'
    await expect(all.run(`node --import ./older.mjs ${program}`)).rejects.toThrow(
      /\nHeirloom needs Node 24 or newer; this is Node 20\./,
    )
  })
})

/** Returns the names of a package's dependencies, however deep, that npm installed. */
function dependenciesOf(folder: string, name: string): readonly string[] {
  const found = new Set<string>()
  const open = [name]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const path = join(folder, 'node_modules', one, 'package.json')
    if (found.has(one) || !existsSync(path)) continue
    found.add(one)
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(path, 'utf8'))
    open.push(...Object.keys({ ...dependencies, ...optionalDependencies }))
  }
  return [...found]
}

/** Returns the sum of the bytes of the files below a folder. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
