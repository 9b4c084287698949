import { guideTitles } from '../../../src/api/guide-titles.ts'

const texts = import.meta.glob<string>('../../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
})

const nameOf = (path: string) => /([a-z-]+)\.md$/.exec(path)?.[1] ?? path

/** Returns the Markdown of a guide; `undefined` when there is none of that name. */
export async function readGuide(name: string): Promise<string | undefined> {
  const found = Object.entries(texts).find(([path]) => nameOf(path) === name)
  return found === undefined ? undefined : found[1]()
}

/** Returns the Markdown of a guide with links to other guides that lead to them in this page. */
export const linkGuides = (text: string, origin: string): string =>
  text.replace(/\]\(([a-z-]+)\.md(?:#[^)]*)?\)/g, (link, name: string) =>
    Object.hasOwn(guideTitles, name) ? `](${origin}/docs/guides/${name})` : link,
  )

/** A guide that a search finds, and the first line that has one of its words. */
export type FoundGuide = { readonly name: string; readonly title: string; readonly line?: string }

/** Finds the guides that have every word of a search in their title or their text. */
export async function findGuides(search: string): Promise<readonly FoundGuide[]> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const all = Object.entries(guideTitles).map(async ([name, title]) => {
    if (words.length === 0) return { name, title }
    const text = (await readGuide(name)) ?? ''
    const whole = `${title} ${text}`.toLowerCase()
    return words.every((word) => whole.includes(word))
      ? { name, title, ...lineOf(text, words) }
      : undefined
  })
  return (await Promise.all(all)).filter((it) => it !== undefined)
}

/** The longest line that is shown of a guide, in characters. */
const longestLine = 160

function lineOf(text: string, words: readonly string[]): { readonly line?: string } {
  const line = text
    .split('\n')
    .filter((it) => !/^(#|```)/.test(it))
    .map(toProse)
    .find((it) => words.some((word) => it.toLowerCase().includes(word)))
  return line === undefined ? {} : { line: cutLine(line) }
}

/** Returns a line of Markdown as prose: without the marks of lists, tables, links and stress. */
const toProse = (line: string): string =>
  line
    .replace(/^\s*([-*>]|\d+\.)\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replace(/^\|(.*)\|$/, (_, row: string) => row.replace(/\s+\|\s+/g, ' · '))
    .trim()

/** Cuts a long line, and leaves out a backtick whose pair is cut off. */
function cutLine(line: string): string {
  const characters = [...line]
  if (characters.length <= longestLine) return line
  const cut = `${characters.slice(0, longestLine - 1).join('')}…`
  const isPaired = cut.split('`').length % 2 === 1
  return isPaired ? cut : cut.replace(/`([^`]*)$/, '$1')
}
