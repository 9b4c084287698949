import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { read } from '../docs/docs.ts'
import { programsOf } from '../harness/docs/examples.ts'
import { foreignPackages, linkPackage, type Walk, walksOf } from '../harness/docs/guide.ts'
import { changeText } from '../harness/docs/line-change.ts'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { typeCheckCommands } from '../harness/packages/consumer-programs.ts'
import { type Published, publish } from '../harness/packages/publish.ts'

const root = join(import.meta.dirname, '../..')
const documents = globSync(
  ['README.md', 'docs/*.md', 'docs/guides/*.md', 'packages/*/README.md', 'publish/*/README.md'],
  { cwd: root },
).toSorted()

/** The guides whose programs import each other, or a framework. */
const projects = documents.filter(
  (document) =>
    document.startsWith('docs/guides/') &&
    programsOf(read(document)).some((it) => /from '(\.\/|@heirloom\/client\/(?!wallet))/.test(it)),
)

const importsClient = /@heirloom\/client|from '\.\//

/** The programs that use the client, by the names of their files. */
const programs = new Map(
  documents
    .filter((document) => !projects.includes(document))
    .flatMap((document) =>
      programsOf(read(document))
        .filter((program) => importsClient.test(program))
        .map((program, index) => [join(document, `${index + 1}.mts`), program]),
    ),
)
/** The programs of those documents that others import, by their names. */
const modules = documents
  .filter((document) => !projects.includes(document))
  .flatMap((document) =>
    [...read(document).matchAll(/```ts (\S+\.mts)\n([\s\S]*?)```/g)].map(
      ([, name = '', program = '']) => [join(document, name), program] as const,
    ),
  )

/** Returns the programs of a walk by the names of their files, also as they are after its diffs. */
function filesOf({ steps }: Walk): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const step of steps) {
    if (step.kind === 'file' && step.name.endsWith('.mts')) files.set(step.name, step.content)
    if (step.kind !== 'change') continue
    files.set(`after-${step.name}`, changeText(files.get(step.name) ?? '', step.change))
  }
  return files
}

let registry: Published
let reader: Stranger
beforeAll(async () => {
  registry = await publish()
  reader = stranger(registry.url)
  await reader.run('npm install @heirloom/client @noble/curves @noble/hashes @types/node')
  for (const name of foreignPackages) linkPackage(join(reader.folder, 'node_modules'), name)
})
afterAll(async () => {
  reader?.remove()
  await registry?.close()
})

test.each(typeCheckCommands)('every example compiles with %s', async (command) => {
  expect(programs.size).toBeGreaterThan(15)
  for (const [name, program] of [...modules, ...programs]) reader.write(name, program)
  const isProject = (name: string) => programs.get(name)?.includes("from './") === true
  const names = [...programs.keys()]
  const alone = names.filter((name) => !isProject(name))
  await reader.run(`${command} --types node ${alone.join(' ')}`)
  const importing = names.filter(isProject).join(' ')
  await reader.run(`${command} --allowImportingTsExtensions --types node ${importing}`)
})

test('the programs of each guide compile together, before and after its diff', async () => {
  const walks = projects.flatMap((document) =>
    walksOf(read(document)).map((walk) => {
      const folder = join(document, walk.title.replaceAll(' ', '-'))
      return { folder, files: filesOf(walk) }
    }),
  )
  expect(walks.length).toBeGreaterThan(5)
  const all = walks.flatMap(({ folder, files }) =>
    [...files].map(([name, text]) => [join(folder, name), text] as const),
  )
  for (const [path, text] of all) reader.write(path, text)
  // The declarations of frameworks are not ours to check.
  const options = '--skipLibCheck --allowImportingTsExtensions --types node'
  const [command] = typeCheckCommands
  await reader.run(`${command} ${options} ${all.map(([path]) => path).join(' ')}`)
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
