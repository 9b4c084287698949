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

const walks = projects.flatMap((document) =>
  walksOf(read(document)).map((walk) => ({
    folder: join(document, walk.title.replaceAll(' ', '-')),
    files: filesOf(walk),
  })),
)

/** The programs of the guides by their paths. */
const ofGuides = new Map(
  walks.flatMap(({ folder, files }) =>
    [...files].map(([name, text]) => [join(folder, name), text]),
  ),
)

/** Whether the compiler says a line of a program of a guide. */
const isOfGuide = (line: string) => projects.some((document) => line.startsWith(`${document}/`))

// One run of the compiler checks all: two would read and check the same declarations again. Those of
// frameworks are not ours to check, and package.test.ts checks ours.
const [first, second] = typeCheckCommands as [string, string]
const compiled = new Map<string, readonly string[]>()
let registry: Published
let reader: Stranger
beforeAll(async () => {
  registry = await publish()
  reader = stranger(registry.url)
  await reader.run('npm install @heirloom/client @noble/curves @noble/hashes @types/node')
  for (const name of foreignPackages) linkPackage(join(reader.folder, 'node_modules'), name)
  for (const [name, program] of [...modules, ...programs, ...ofGuides]) reader.write(name, program)
  const names = [...programs.keys()]
  await compile(first, [...names, ...ofGuides.keys()])
  await compile(second, names)
})
afterAll(async () => {
  reader?.remove()
  await registry?.close()
})

/** Compiles programs, and notes what the compiler says. */
async function compile(command: string, names: readonly string[]): Promise<void> {
  const options = '--skipLibCheck --allowImportingTsExtensions --types node'
  const said = await reader.run(`${command} ${options} ${names.join(' ')}`).catch(String)
  compiled.set(
    command,
    said.split('\n').filter((line) => line !== ''),
  )
}

test.each(typeCheckCommands)('every example compiles with %s', (command) => {
  expect(programs.size).toBeGreaterThan(15)
  expect(compiled.get(command)?.filter((line) => !isOfGuide(line))).toEqual([])
})

test('the programs of each guide compile together, before and after its diff', () => {
  expect(walks.length).toBeGreaterThan(5)
  expect(compiled.get(first)?.filter(isOfGuide)).toEqual([])
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
