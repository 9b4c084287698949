import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { read } from '../docs/docs.ts'
import { programsOf } from '../harness/docs/examples.ts'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { typeCheckCommands } from '../harness/packages/consumer-programs.ts'
import { type Published, publish } from '../harness/packages/publish.ts'

const root = join(import.meta.dirname, '../..')
const documents = globSync(
  ['README.md', 'docs/*.md', 'docs/guides/*.md', 'packages/*/README.md', 'publish/*/README.md'],
  { cwd: root },
).toSorted()

/** The programs that use the client, by the names of their files. */
const programs = new Map(
  documents.flatMap((document) =>
    programsOf(read(document))
      .filter((program) => program.includes('@heirloom/client'))
      .map((program, index) => [`${document.replaceAll('/', '.')}.${index + 1}.mts`, program]),
  ),
)

let registry: Published
let reader: Stranger
beforeAll(async () => {
  registry = await publish()
  reader = stranger(registry.url)
  await reader.run('npm install @heirloom/client viem @noble/curves @noble/hashes @types/node')
}, 300_000)
afterAll(async () => {
  reader?.remove()
  await registry?.close()
})

test.each(typeCheckCommands)('every example compiles with %s', async (command) => {
  expect(programs.size).toBeGreaterThan(18)
  for (const [name, program] of programs) reader.write(name, program)
  await reader.run(`${command} --types node ${[...programs.keys()].join(' ')}`)
})

test('no example takes the client from the package of the server, or is no TypeScript', () => {
  for (const document of documents) {
    const text = read(document)
    expect(text, document).not.toMatch(/from '@heirloom\/http\/(client|wallet)'/)
    const scripts = [...text.matchAll(/```js.*\n([\s\S]*?)```/g)].map(([, code]) => code)
    expect(
      scripts.filter((it) => it?.includes('@heirloom/client')),
      document,
    ).toEqual([])
  }
})
