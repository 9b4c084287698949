import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { read } from './docs.ts'

const root = join(import.meta.dirname, '../..')
const client = join(root, 'packages/http/src/client')
const page = read('docs/reference/client.md')

const names = ['requests', 'responses'].flatMap((file) =>
  [
    ...readFileSync(join(client, `${file}.ts`), 'utf8').matchAll(
      /^export type (\w+)(?:<[^>]* = [^>]*>)? =/gm,
    ),
  ].map(([, name = '']) => name),
)

/** Returns the declaration of a type on the page. */
function documentedType(name: string): string {
  const [, code = ''] = new RegExp(`\n### ${name}\n[^]*?\`\`\`ts\n([^]*?)\`\`\``).exec(page) ?? []
  return code
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reference-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Compiles a program with the settings of the workspace, and returns its errors. */
function compile(program: string): string {
  writeFileSync(join(folder, 'program.mts'), program)
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: ['program.mts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules/.bin/tsc')
  return spawnSync(compiler, ['-p', folder], { encoding: 'utf8' }).stdout
}

test('the types of requests and responses on the page are those of the client', () => {
  expect(names.length).toBeGreaterThan(20)
  const assignments = names.map(
    (name) => `
      export const to${name} = (it: Documented.${name}): Client.${name} => it
      export const from${name} = (it: Client.${name}): Documented.${name} => it`,
  )
  const program = `
    import type * as Client from '${join(client, 'index.ts')}'
    declare namespace Documented { ${['Page', ...names].map(documentedType).join('\n')} }
    ${assignments.join('')}`
  expect(compile(program)).toBe('')
})

test('every field of a response has a description', () => {
  for (const name of ['Token', 'Listing', 'Lineage', 'Minted', 'Wallet', 'Deployment']) {
    const fields = documentedType(name).matchAll(
      /^( *)(\/\*\*.*\*\/|\*\/)?\n? *readonly (\w+)\??:/gm,
    )
    for (const [, , comment, field] of fields)
      expect([name, field, comment]).not.toContain(undefined)
  }
})
