import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientEntrances, clientName } from './client/entrances.ts'
import { type Exported, publicApi } from './public-api.ts'

const packages = ['core', 'adapters', 'testkit', 'http'] as const

/** The reference of what is published. */
export type Reference = {
  /** The pages by their file names. */
  readonly pages: ReadonlyMap<string, string>
  /** The names of all exports, below their entrances. */
  readonly names: string
  /** The exports that lack a docstring. */
  readonly gaps: readonly string[]
}

/**
 * Makes the reference of the libraries that were built in a workspace: a page for each entrance
 * that is not internal.
 */
export function referencePages(workspace: string): Reference {
  const entrances = packages.flatMap((name) => entrancesOf(workspace, name))
  const apis = entrances.map(({ name, path }) => ({ name, api: [...publicApi(path).values()] }))
  const open = apis.filter(({ name }) => !isInternal(name))
  const pages = open.map(({ name, api }) => [fileOf(name), pageOf(name, api)] as const)
  const gaps = apis.flatMap(({ name, api }) =>
    api.filter(({ doc }) => !doc).map((one) => `${name} exports ${one.name}`),
  )
  return { pages: formatted(new Map(pages)), names: namesOf(open), gaps }
}

/** Replaces what is in a folder by the pages of the reference. */
export function writePages(folder: string, { pages }: Reference): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
}

/** Returns pages written as our other documents are, and the code in them as our code. */
function formatted(pages: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'))
  const root = join(import.meta.dirname, '..')
  const { formatter, javascript } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ formatter, javascript }))
  for (const [file, text] of pages) writeFileSync(join(folder, file), text)
  const words = ['format', '--write', '--log-level=error', '.']
  const biome = join(root, 'node_modules/.bin/biome')
  const { status, stderr } = spawnSync(biome, words, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const written = [...pages.keys()].map(
    (file) => [file, readFileSync(join(folder, file), 'utf8')] as const,
  )
  rmSync(folder, { recursive: true })
  return new Map(written)
}

/** Describes what can be imported, and the file of its declarations. */
type Entrance = { readonly name: string; readonly path: string }

function entrancesOf(workspace: string, name: string): readonly Entrance[] {
  const folder = join(workspace, 'packages', name)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const published = Object.entries<string>(manifest.publishConfig.exports)
  const own = published.map(([entrance, built]) => ({
    name: nameOf(manifest.name, entrance),
    path: join(folder, built.replace(/js$/, 'd.ts')),
  }))
  return name === 'http' ? [...own, ...clientEntrancesBeside(own, folder)] : own
}

/** Returns the entrances that the client alone has. */
function clientEntrancesBeside(others: readonly Entrance[], http: string): readonly Entrance[] {
  return clientEntrances
    .map(({ path, folder }) => ({
      name: join(clientName, path),
      path: join(http, 'lib', folder, 'index.d.ts'),
    }))
    .filter(({ name }) => !others.some((it) => it.name === name))
}

/** Returns the name to import an entrance by; the client has a package of its own. */
function nameOf(packageName: string, entrance: string): string {
  const ofClient = clientEntrances.find(({ folder }) => `./${folder}` === entrance)
  return packageName === '@heirloom/http' && ofClient !== undefined
    ? join(clientName, ofClient.path)
    : join(packageName, entrance)
}

/** Returns whether an entrance is for our own packages only. */
const isInternal = (entrance: string): boolean => entrance.includes('/internal/')

const fileOf = (entrance: string): string =>
  `${entrance.replace('@heirloom/', '').replaceAll('/', '.')}.md`

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

type Entry = { readonly name: string; readonly api: readonly Exported[] }

/** Lists the names one a line, so that a change of one is a line of its own in a review. */
function namesOf(entrances: readonly Entry[]): string {
  const lines = entrances.flatMap(({ name, api }) => [
    name,
    ...Object.keys(sections).flatMap((kind) =>
      api
        .filter((one) => one.kind === kind)
        .toSorted(byName)
        .map((one) => `  ${kind} ${one.name}`),
    ),
  ])
  return `${lines.join('\n')}\n`
}
