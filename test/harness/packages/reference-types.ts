import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const client = join(root, 'packages/http/src/client')

/** The names of the types of requests and responses that the client has. */
const names = ['requests', 'responses'].flatMap((file) =>
  [
    ...readFileSync(join(client, `${file}.ts`), 'utf8').matchAll(
      /^export type (\w+)(?:<[^>]* = [^>]*>)? =/gm,
    ),
  ].map(([, name = '']) => name),
)

/** Returns the declaration of a type on a page of the reference. */
export function documentedType(page: string, name: string): string {
  const [, code = ''] = new RegExp(`\n### ${name}\n[^]*?\`\`\`ts\n([^]*?)\`\`\``).exec(page) ?? []
  return code
}

/** Compares the types of the page of the client with its sources; returns what the compiler says. */
export function typeErrorsOf(page: string): string {
  expect(names.length).toBeGreaterThan(20)
  const assignments = names.map(
    (name) => `
      export const to${name} = (it: Documented.${name}): Client.${name} => it
      export const from${name} = (it: Client.${name}): Documented.${name} => it`,
  )
  const declarations = ['Page', ...names].map((name) => documentedType(page, name))
  return compile(`
    import type * as Client from '${join(client, 'index.ts')}'
    declare namespace Documented { ${declarations.join('\n')} }
    ${assignments.join('')}`)
}

/** Compiles a program with the settings of the workspace, and returns its errors. */
function compile(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'))
  writeFileSync(join(folder, 'program.mts'), program)
  const compilerOptions = {
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions,
    files: ['program.mts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(compiler, ['--singleThreaded', '-p', folder], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return stdout
}
