import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Exported, publicApi } from './public-api.ts'

const packages = ['core', 'adapters', 'testkit', 'http'] as const

/** The pages of the reference by their file names, and the exports that lack a docstring. */
export type Reference = {
  readonly pages: ReadonlyMap<string, string>
  readonly gaps: readonly string[]
}

/** Makes the reference of the libraries that were built in a workspace: a page for each entrance. */
export function referencePages(workspace: string): Reference {
  const folder = formatted(workspace)
  const pages = new Map<string, string>()
  const gaps: string[] = []
  for (const { entrance, path } of packages.flatMap((name) => entrancesOf(workspace, name))) {
    const api = [...publicApi(join(folder, path)).values()]
    pages.set(fileOf(entrance), pageOf(entrance, api))
    for (const { name, doc } of api) if (!doc) gaps.push(`${entrance} exports ${name}`)
  }
  rmSync(folder, { recursive: true })
  pages.set('README.md', contents([...pages.keys()]))
  return { pages, gaps }
}

/** Returns a copy of all declarations, written as our code is. */
function formatted(workspace: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'))
  const all = globSync('packages/*/lib/**/*.d.ts', { cwd: workspace })
  for (const path of all) {
    mkdirSync(dirname(join(folder, declarationOf(path))), { recursive: true })
    cpSync(join(workspace, path), join(folder, declarationOf(path)))
  }
  const root = join(import.meta.dirname, '..')
  cpSync(join(root, 'biome.json'), join(folder, 'biome.json'))
  const words = ['format', '--write', '--log-level=error', '.']
  const biome = join(root, 'node_modules/.bin/biome')
  const { status, stderr } = spawnSync(biome, words, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return folder
}

// Biome passes `lib` by, here as elsewhere.
const declarationOf = (path: string): string => path.replace('/lib/', '/declared/')

type Entrance = { readonly entrance: string; readonly path: string }

function entrancesOf(workspace: string, name: string): readonly Entrance[] {
  const manifest = JSON.parse(
    readFileSync(join(workspace, 'packages', name, 'package.json'), 'utf8'),
  )
  return Object.entries<string>(manifest.publishConfig.exports).map(([entrance, built]) => ({
    entrance: join(manifest.name, entrance),
    path: join('packages', name, declarationOf(built.replace('./', '/').replace(/js$/, 'd.ts'))),
  }))
}

const fileOf = (entrance: string): string =>
  `${entrance.replace('@heirloom/', '').replace('/', '.')}.md`

const sections = { function: 'Functions', value: 'Values', type: 'Types' }

function pageOf(entrance: string, api: readonly Exported[]): string {
  const parts = Object.entries(sections).map(([kind, heading]) => {
    const members = api.filter((one) => one.kind === kind).toSorted(byName)
    return members.length === 0 ? [] : [`## ${heading}`, ...members.map(entry)]
  })
  const note = 'Made from the docstrings by `pnpm reference`.'
  return `${[`# ${entrance}`, note, ...parts.flat()].join('\n\n')}\n`
}

const byName = (one: Exported, other: Exported): number => (one.name < other.name ? -1 : 1)

function entry({ name, doc = '', declarations }: Exported): string {
  const code = ['```ts', declarations.join('\n\n'), '```'].join('\n')
  return [`### ${name}`, prose(doc), code].filter(Boolean).join('\n\n')
}

/** Writes a docstring as Markdown: its failures after a word, its example as code. */
function prose(doc: string): string {
  const [text = '', example] = doc.split(/^@example\n/m)
  const told = text
    .replace(/ *^@throws /gm, 'Throws ')
    .replace(/ @throws /g, ' Throws ')
    .trim()
  return example === undefined ? told : `${told}\n\n\`\`\`ts\n${example.trim()}\n\`\`\``
}

function contents(files: readonly string[]): string {
  const lines = files.map(
    (file) => `- [@heirloom/${file.replace('.md', '').replace('.', '/')}](${file})`,
  )
  return `# Reference\n\nWhat each entrance exports, made from the docstrings by \`pnpm reference\`.\n\n${lines.join('\n')}\n`
}
