import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowed, wrongImports, wrongImportsOfAll } from '../rooms.ts'

const root = join(import.meta.dirname, '../..')
const tool = (name: string) => join(root, 'node_modules/.bin', name)

/** A copy of the sources, in which the tests break each fence. */
let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'fences-'))
  const config = ['biome.json', 'no-spread-literal.grit', 'package.json', 'tsconfig.base.json']
  for (const path of [...config, 'packages']) {
    const filter = (from: string) => !/node_modules|fixtures|\.test\.ts$/.test(from)
    cpSync(join(root, path), join(copy, path), { recursive: true, filter })
  }
})
afterAll(() => rmSync(copy, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true })
  writeFileSync(join(copy, path), text)
}

/** Every import of one room by another that rooms.json does not allow. */
const arrows = Object.keys(allowed).flatMap((from) =>
  Object.keys(allowed)
    .filter((to) => to !== from && !allowed[from]?.includes(to))
    .map((to) => [from, to] as const),
)

/** Returns the path of a file in a room. */
function pathIn(room: string): string {
  const [name, folder] = room.split('/')
  if (room === 'http/page') return 'packages/http/page/src/a.ts'
  return join('packages', `${name}`, 'src', `${folder}`, 'a.ts')
}

describe('the fence of the rooms', () => {
  const forms = [
    (path: string) => `import { x } from '${path}'`,
    (path: string) => `export type { X } from '${path}'`,
    (path: string) => `const { x } = await import('${path}')`,
    (path: string) => `import '${path}'`,
    (path: string) => `worker(new URL('${path}', import.meta.url))`,
  ]

  it('lets no room import another one that rooms.json does not name', () => {
    expect(arrows.length).toBeGreaterThan(500)
    for (const [from, to] of arrows) {
      const path = relative(dirname(pathIn(from)), pathIn(to))
      const target = path.startsWith('.') ? path : `./${path}`
      for (const form of forms) expect(wrongImports(pathIn(from), form(target))).toHaveLength(1)
    }
  })

  it('lets a room import itself, and those that rooms.json names', () => {
    for (const [from, rooms] of Object.entries(allowed)) {
      const paths = [from, ...rooms].map((to) => relative(dirname(pathIn(from)), pathIn(to)))
      const text = paths.map((it) => `import '${it.startsWith('.') ? it : `./${it}`}'`).join('\n')
      expect(wrongImports(pathIn(from), text)).toEqual([])
    }
  })

  it('reports nothing in the sources, and names a room that rooms.json lacks', () => {
    expect(wrongImportsOfAll()).toEqual([])
    expect(wrongImports('packages/core/src/attic/a.ts', '')).toHaveLength(1)
  })
})

describe('the lint fence', () => {
  const violations: readonly (readonly [string, string, string, string])[] = [
    [
      'core imports Node',
      'core/src/use-cases/a.ts',
      "import { join } from 'node:path'\njoin()",
      'noNodejsModules',
    ],
    [
      'core imports a package',
      'core/src/use-cases/b.ts',
      "import { x } from 'viem'\nx()",
      'noUndeclaredDependencies',
    ],
    [
      'core reads the system time',
      'core/src/use-cases/c.ts',
      'export const x = Date.now()',
      'noRestrictedGlobals',
    ],
    [
      'core uses random numbers',
      'core/src/use-cases/d.ts',
      'export const x = Math.random()',
      'noRestrictedGlobals',
    ],
    [
      'the container is used outside its file',
      'http/src/f.ts',
      "import { container } from 'tsyringe'\ncontainer.reset()",
      'noRestrictedImports',
    ],
    ['a default export', 'core/src/use-cases/h.ts', 'export default 1', 'noDefaultExport'],
    ['an any', 'core/src/use-cases/i.ts', 'export const x = (y: any) => y', 'noExplicitAny'],
    ['a barrel', 'core/src/use-cases/j.ts', "export * from './buy.ts'", 'noReExportAll'],
    [
      'a cycle',
      'core/src/use-cases/k.ts',
      "import { l } from './l.ts'\nexport const k = () => l",
      'noImportCycles',
    ],
    [
      'the other half of the cycle',
      'core/src/use-cases/l.ts',
      "import { k } from './k.ts'\nexport const l = () => k",
      'noImportCycles',
    ],
    [
      'a literal spread into another',
      'http/src/p.ts',
      'export const x = { ...{ y: 1 } }',
      'plugin',
    ],
    ['console output', 'http/src/m.ts', "console.log('')", 'noConsole'],
    [
      'a long function',
      'http/src/n.ts',
      `export function n() {\n${'n()\n'.repeat(51)}}`,
      'noExcessiveLinesPerFunction',
    ],
    [
      'a complex function',
      'http/src/o.ts',
      `export function o(x: number) {\n${'if (x) { if (x > 1) { if (x > 2) o(x) } }\n'.repeat(2)}}`,
      'noExcessiveCognitiveComplexity',
    ],
  ]
  let report: readonly string[]
  beforeAll(() => {
    for (const [, path, text] of violations) write(`packages/${path}`, `${text}\n`)
    const args = ['lint', '--reporter=github', '--max-diagnostics=none', 'packages']
    report = spawnSync(tool('biome'), args, { cwd: copy, encoding: 'utf8' })
      .stdout.replaceAll(`${copy}/`, '')
      .split('\n')
    for (const [, path] of violations) rmSync(join(copy, 'packages', path))
  })

  it.each(violations)('reports: %s', (_, path, __, rule) => {
    const here = report.filter((line) => line.includes(`file=packages/${path},`))
    expect(here.join('\n')).toContain(rule)
  })

  it('reports nothing else', () => {
    const broken = new Set(violations.map(([, path]) => `packages/${path}`))
    const elsewhere = report
      .filter((line) => line.startsWith('::error'))
      .filter((line) => !broken.has(/file=([^,]+)/.exec(line)?.[1] ?? ''))
    expect(elsewhere).toEqual([])
  })
})

describe('the type fence', () => {
  function checkCore(extra: string): { readonly status: number | null; readonly text: string } {
    const alone = join(copy, 'alone')
    try {
      cpSync(join(copy, 'packages/core'), join(alone, 'packages/core'), { recursive: true })
      cpSync(join(copy, 'tsconfig.base.json'), join(alone, 'tsconfig.base.json'))
      writeFileSync(join(alone, 'packages/core/src/extra.ts'), extra)
      const args = ['--singleThreaded', '-p', join(alone, 'packages/core')]
      const { status, stdout } = spawnSync(tool('tsc'), args, { encoding: 'utf8' })
      return { status, text: stdout }
    } finally {
      rmSync(alone, { recursive: true })
    }
  }

  it('core type-checks alone', () => {
    expect(checkCore('export {}')).toEqual({ status: 0, text: '' })
  })

  it('core cannot use globals of a platform', () => {
    const names = [
      'process',
      'fetch',
      'setTimeout',
      'crypto',
      'TextEncoder',
      'console',
      'document',
      'Buffer',
    ]
    const { status, text } = checkCore(
      names.map((name) => `export const ${name}_ = ${name}`).join('\n'),
    )
    expect(status).not.toBe(0)
    for (const name of names) expect(text).toContain(`Cannot find name '${name}'`)
  })

  it('the page and the client cannot use Node or the server', () => {
    const args = ['-p', join(root, 'packages/http/page'), '--listFilesOnly']
    const files = spawnSync(tool('tsc'), args, { encoding: 'utf8' }).stdout.split('\n')
    expect(files.some((it) => it.endsWith('/http/src/client/client.ts'))).toBe(true)
    expect(files.some((it) => it.endsWith('/http/src/api/schemas/market-schemas.ts'))).toBe(true)
    expect(files.filter((it) => /\/(@types\/node|fastify)\//.test(it))).toEqual([])
  })
})
