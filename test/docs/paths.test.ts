import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packages } from '../harness/packages/copy-workspace.ts'
import { manifestOf } from '../harness/packages/manifests.ts'
import { read } from './docs.ts'

const root = join(import.meta.dirname, '../..')
// docs/gas.md is generated, and names files relative to the contracts.
const pages = globSync(
  [
    ...['*.md', '.github/**/*.md', 'docs/*.md', 'docs/guides/*.md'],
    ...['packages/*/README.md', 'publish/*/README.md', 'deploy/*.md'],
  ],
  { cwd: root },
).filter((page) => page !== 'docs/gas.md')

/** Returns a page without its fenced blocks, which hold examples. */
const proseOf = (page: string) =>
  readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')

type Link = { readonly file: string; readonly heading: string | undefined }

/** Returns the files, as paths from the root, and the headings that the links of a page lead to. */
function linksOf(page: string): readonly Link[] {
  const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => `${target}`)
  return targets
    .filter((target) => !/^(https?:|mailto:)/.test(target))
    .map((target) => {
      const [path, heading] = target.split('#')
      return { file: path ? join(dirname(page), path) : page, heading }
    })
}

/** Returns the names by which links reach the headings of a page, as GitHub makes them. */
const headingsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    `${heading}`
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Returns the paths of this repository that a page names as code. */
function namedPathsOf(page: string): readonly string[] {
  const code = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, text]) => `${text}`)
  return code.filter((text) =>
    /^(packages|test|docs|bench|publish|\.ci|\.github)\/[\w./-]+$/.test(text),
  )
}

describe('the pages for readers', () => {
  it('are all looked at', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/architecture.md']))
  })

  it.each(pages)('%s names only files and folders that exist', (page) => {
    const named = [...linksOf(page).map(({ file }) => file), ...namedPathsOf(page)]
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it.each(pages)('%s links only to headings that exist', (page) => {
    const missing = linksOf(page).filter(
      ({ file, heading }) => heading !== undefined && !headingsOf(file).includes(heading),
    )
    expect(missing).toEqual([])
  })

  it.each(pages)('%s imports no internal entrance', (page) => {
    expect(readFileSync(join(root, page), 'utf8')).not.toMatch(/'@heirloom\/\w+\/internal\//)
  })

  it.each(packages)('of the package %s name all entrances for outsiders', (name) => {
    const text = read(`packages/${name}/README.md`)
    const { name: own, exports } = manifestOf(name)
    const named = new Set([...text.matchAll(/@heirloom\/[\w/-]*\w/g)].map(([entrance]) => entrance))
    const open = Object.keys(exports).filter((path) => !path.startsWith('./internal/'))
    expect(open.filter((path) => !named.has(`${own}${path.slice(1)}`))).toEqual([])
  })

  it('and the scripts name only tests that exist, those of the long tier in that tier', () => {
    const scripts = JSON.parse(read('package.json')).scripts as Readonly<Record<string, string>>
    const named = [...Object.values(scripts), read('test/long.ts')].flatMap((text) =>
      [...text.matchAll(/test\/[\w./-]+\.test\.ts/g)].map(([path]) => ({ path, text })),
    )
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
    const isLeftOut = ({ path, text }: (typeof named)[number]) =>
      path.endsWith('.long.test.ts') && !/TIER(=|: ')long/.test(text)
    expect(named.filter(isLeftOut)).toEqual([])
  })
})
