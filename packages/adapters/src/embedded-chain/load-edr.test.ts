import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadEdr } from './load-edr.ts'

const platform = `${process.platform} ${process.arch}`
const part = new RegExp(`^@nomicfoundation/edr-${process.platform}-${process.arch}`)
const source = (name: string) => JSON.stringify(join(import.meta.dirname, name))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edr-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs a module, and returns the JSON that it prints. */
async function runModule(text: string, ...flags: readonly string[]): Promise<unknown> {
  const file = join(folder, 'program.mjs')
  writeFileSync(file, text)
  // Packages of this path would be found from everywhere.
  const { NODE_PATH: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, file], { env })
  return JSON.parse(stdout)
}

test('the EVM is loaded where its native part is installed', async () => {
  expect((await loadEdr(() => import('@nomicfoundation/edr'))).L1_CHAIN_TYPE).toBe('L1')
})

test('a native part that is not installed is named with its platform', async () => {
  // A copy elsewhere is beside no other package, as after an installation without optional ones.
  const copy = join(folder, 'index.cjs')
  copyFileSync(createRequire(import.meta.url).resolve('@nomicfoundation/edr'), copy)
  const load = `const { loadEdr } = await import(${source('load-edr.ts')})
    await loadEdr(() => import(${JSON.stringify(copy)})).catch(({ code, facts }) =>
      console.log(JSON.stringify({ code, facts })))`
  expect(await runModule(load)).toEqual({
    code: 'evm/not-installed',
    facts: { platform, part: expect.stringMatching(part) },
  })
})

test('a chain without its native part says so when it is opened', async () => {
  const hide = `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) =>
      next(/edr[-.]\\w+-\\w+/.test(name) ? name + '-not-here' : name, context) })`
  const open = `const { openEvm } = await import(${source('evm.ts')})
    await openEvm({ chainId: 1, genesisTime: 0, accounts: [] }).catch(({ code, facts }) =>
      console.log(JSON.stringify({ code, facts })))`
  const flag = `data:text/javascript,${encodeURIComponent(hide)}`
  expect(await runModule(open, '--import', flag)).toEqual({
    code: 'evm/not-installed',
    facts: { platform, part: expect.stringMatching(part) },
  })
})
