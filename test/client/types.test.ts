import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClientEntrance, clientEntrances } from '../../publish/client/entrances.ts'
import { type Published, publish } from '../harness/packages/publish.ts'

let registry: Published
beforeAll(async () => {
  registry = await publish()
})
afterAll(() => registry?.close())

/** The type arguments of exported types that need one. */
const generic: Readonly<Record<string, string>> = {
  FactsOf: '<Source.HeirloomCode>',
  Page: '<string>',
}

/** Returns the names of the types that a module exports. */
function typesIn(declarations: string): readonly string[] {
  const [, list = ''] = /export (?:type )?\{([^}]*)\};?\s*$/.exec(declarations) ?? []
  const isOnlyTypes = /export type \{[^}]*\};?\s*$/.test(declarations)
  return list
    .split(',')
    .map((it) => it.trim())
    .filter((it) => isOnlyTypes || it.startsWith('type '))
    .map((it) => it.replace('type ', ''))
}

/** The brands of two copies of the core differ, so values are compared without theirs. */
const plain = `
    type Plain<T> = T extends bigint ? bigint
      : T extends number ? (number extends T ? number : T extends { readonly [brand: symbol]: string } ? number : T)
      : T extends \`0x\${string}\` ? \`0x\${string}\`
      : T extends (...args: infer A) => infer R ? (...args: Plain<A>) => Plain<R>
      : T extends object ? { [name in keyof T]: Plain<T[name]> } : T`

/** Returns a program that compiles only if each type of two modules is the same. */
function comparison(source: string, built: string, names: readonly string[]): string {
  const claims = names.map((name) => {
    const type = `${name}${generic[name] ?? ''}`
    return `export const ${name}: Same<Plain<Source.${type}>, Plain<Built.${type}>> = true`
  })
  return `
    import type * as Source from '${source}'
    import type * as Built from '${built}'
    ${plain}
    type IsAny<T> = 0 extends 1 & T ? true : false
    type Same<A, B> =
      IsAny<A> extends IsAny<B> ? ([A] extends [B] ? ([B] extends [A] ? true : 1) : 2) : 3
    ${claims.join('\n')}`
}

/**
 * Returns what the compiler says of the comparisons of all entrances. The declarations of frameworks
 * are not ours to check, and package.test.ts checks ours.
 */
function compile(): string {
  const folder = join(registry.workspace, 'packages/http')
  const paths = clientEntrances.map((entrance) => writeComparison(folder, entrance))
  const options = '--noEmit --strict --exactOptionalPropertyTypes --allowImportingTsExtensions'
  const words = `${options} --module nodenext --target es2024 --lib es2024,dom --types node`
  const { status, stdout } = spawnSync(
    join(registry.workspace, 'node_modules/.bin/tsc'),
    [...words.split(' '), '--singleThreaded', '--skipLibCheck', '--ignoreConfig', ...paths],
    { encoding: 'utf8', cwd: folder },
  )
  return status === 0 ? stdout : `${stdout}\nThe compiler ended with ${status}.`
}

const nameOf = ({ file }: ClientEntrance) => `compare-${file}.ts`

/** Writes the comparison of an entrance, and returns the name of its file. */
function writeComparison(folder: string, entrance: ClientEntrance): string {
  const built = join(registry.workspace, 'dist/client', entrance.file)
  const names = typesIn(readFileSync(`${built}.d.ts`, 'utf8'))
  expect(names.length).toBeGreaterThan(['index', 'wallet'].includes(entrance.file) ? 20 : 0)
  const program = comparison(`./src/${entrance.folder}/index.ts`, `${built}.js`, names)
  writeFileSync(join(folder, nameOf(entrance)), program)
  return nameOf(entrance)
}

let findings: readonly string[]
beforeAll(() => {
  findings = compile()
    .split('\n')
    .filter((line) => line !== '')
})

test.each(clientEntrances)('the types of $path are those of the sources', (entrance) => {
  expect(findings.filter((line) => line.startsWith(nameOf(entrance)))).toEqual([])
})

test('the compiler finds nothing else', () => {
  expect(findings).toEqual([])
})
