import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

// The list of what the tests state, and of how often: `node test/statements.ts` prints it as it is now,
// and `--write` writes it to `statements.txt`. A statement that goes shows in the diff of that file.

const root = join(import.meta.dirname, '..')
const path = join(import.meta.dirname, 'statements.txt')

/** The statements of a test file, in its order, and the counts in it. */
export type Statements = {
  /** The titles of its tests and blocks, as they are in the source. */
  readonly titles: readonly string[]
  /** The counts of what it does: those of `numRuns: 500`, then those of `times(3, 12)`. */
  readonly counts: readonly Count[]
}

/** A count outside the long tier, and whether `numRuns` or `times` has it. */
export type Count = { readonly words: string; readonly least: number }

/** Returns the tracked test files. */
export const testFiles = (folder = root): readonly string[] =>
  execFileSync('git', ['ls-files', '*.test.ts'], { cwd: folder, encoding: 'utf8' })
    .split('\n')
    .filter((it) => it !== '')
    .toSorted()

type Node = { readonly type: string; readonly [name: string]: unknown }

/** Reads the statements of a source. */
export function statementsOf(source: string): Statements {
  const titles: string[] = []
  const counts: Count[] = []
  const visit = (node: Node) => {
    const title = titleOf(node, source)
    if (title !== undefined) titles.push(title)
    const count = countOf(node, source)
    if (count !== undefined) counts.push(count)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node)
  return { titles, counts: counts.toSorted((one, other) => order(one.words, other.words)) }
}

const order = (one: string, other: string) => Number(one > other) - Number(one < other)

const declaring = /^(it|test|describe|describeLaws|describeBroken)\b/

/** Returns the title of a call that declares a test, a block or laws. */
function titleOf(node: Node, source: string): string | undefined {
  if (node.type !== 'CallExpression' || !declaring.test(textOf(node.callee as Node, source)))
    return undefined
  const [first] = node.arguments as readonly Node[]
  if (first === undefined || !['Literal', 'TemplateLiteral'].includes(first.type)) return undefined
  return textOf(first, source).slice(1, -1).replaceAll(/\s+/g, ' ')
}

/** Returns the count in a call of `times`, or in the number of runs of a property. */
function countOf(node: Node, source: string): Count | undefined {
  if (node.type === 'CallExpression' && textOf(node.callee as Node, source) === 'times') {
    const [least] = node.arguments as readonly Node[]
    return { words: 'times', least: numberOf(least) }
  }
  if (node.type !== 'Property' || textOf(node.key as Node, source) !== 'numRuns') return undefined
  const value = node.value as Node
  return value.type === 'Literal' ? { words: 'numRuns', least: numberOf(value) } : undefined
}

const numberOf = (node: Node | undefined): number =>
  Number(String(node?.raw ?? Number.NaN).replaceAll('_', ''))

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((it): it is Node => typeof Object(it).type === 'string')
}

function textOf(node: Node, source: string): string {
  return source.slice(Number(node.start), Number(node.end))
}

/** Returns the statements of all test files of a folder, by their paths. */
export function allStatements(folder = root): ReadonlyMap<string, Statements> {
  return new Map(
    testFiles(folder).map((file) => [file, statementsOf(readFileSync(join(folder, file), 'utf8'))]),
  )
}

/** Prints statements as the list has them: a path, then its titles and counts, indented. */
export function printStatements(all: ReadonlyMap<string, Statements>): string {
  const lines = [...all].flatMap(([file, { titles, counts }]) => [
    file,
    ...titles.map((it) => `  ${it}`),
    ...counts.map(({ words, least }) => `  # ${words} ${least}`),
  ])
  return `${lines.join('\n')}\n`
}

/** Reads the list. */
export const writtenStatements = (): string => readFileSync(path, 'utf8')

if (import.meta.main) {
  const now = printStatements(allStatements(process.argv[3]))
  if (process.argv[2] === '--write') writeFileSync(path, now)
  else process.stdout.write(now)
}
