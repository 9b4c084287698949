import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from '../packages/http/src/api/operations/operation.ts'
import { operations } from '../packages/http/src/api/operations/operations.ts'
import { type OperationName, paths } from '../packages/http/src/api/operations/paths.ts'
import { commandNames } from '../packages/http/src/cli/load-command.ts'
import { groupsOf } from '../packages/http/src/cli/terminal/print-help.ts'
import type { Effect } from '../packages/http/src/mcp/tools/tool.ts'
import { tools, toolsIn } from '../packages/http/src/mcp/tools/tools.ts'
import { type Metric, metricTable } from '../packages/http/src/observability/metric-table.ts'
import { markdownTable } from './markdown-table.ts'

// Writes the tables of documents that have a source in the code: operations, tools, commands and metrics.

const root = join(import.meta.dirname, '..')

const rows: readonly (readonly [OperationName, Operation])[] = (
  Object.keys(paths) as OperationName[]
).map((name) => [name, operations[name]])

const tags = ['memory', 'names', 'marketplace', 'events', 'server'] as const

/** Returns the operations, by their tags, each with the key that it needs. */
function operationsTable(): string {
  const sorted = tags.flatMap((tag) => rows.filter(([, it]) => it.tag === tag))
  const body = sorted.map(([name, { summary, scope }]) => [
    `\`${paths[name]}\``,
    summary,
    scope === 'anyone' ? '' : scope,
  ])
  return markdownTable(['', 'What it does', 'API key'], body)
}

const effects: Readonly<Record<Effect, string>> = {
  reads: 'read',
  saves: 'write a file',
  mints: 'mint',
  sets: 'set terms',
  pays: 'pay',
  moves: 'move tokens or money',
  names: 'change a name',
  rates: 'rate',
  grants: 'change grants',
  erases: 'erase',
}

/** Returns the exact tools of the MCP server by their effects; the page describes the ten small ones itself. */
function toolsTable(): string {
  const small = toolsIn(['small'], ['owner'])
  const exact = tools.filter((it) => !small.includes(it))
  const body = (Object.keys(effects) as Effect[]).map((effect) => {
    const some = exact.filter((it) => it.effect === effect)
    const named = (isOpen: boolean) =>
      some
        .filter(({ reach }) => (reach === 'anyone') === isOpen)
        .map(({ name }) => `\`${name}\``)
        .join(', ')
    return [effects[effect], named(false), named(true)]
  })
  return markdownTable(['what they do', 'tools', 'also over HTTP'], body)
}

/** Returns the commands of the command line below the headings of the help. */
function commandsTable(): string {
  const body = groupsOf(commandNames).map(({ heading, names }) => [
    heading,
    names.map((it) => `\`${it}\``).join(', '),
  ])
  return markdownTable(['', 'Commands'], body)
}

/** Returns the metrics of a server, by their names. */
function metricsTable(): string {
  const body = Object.entries<Metric>(metricTable).map(([name, { kind, labels, help }]) => [
    `\`${name}\``,
    kind,
    labels.map((it) => `\`${it}\``).join(', '),
    help,
  ])
  return markdownTable(['Metric', 'Type', 'Labels', 'Meaning'], body.toSorted())
}

const makers = {
  'docs/api.md': operationsTable,
  'docs/mcp.md': toolsTable,
  'docs/cli.md': commandsTable,
  'docs/metrics.md': metricsTable,
} as const

/** The documents with a table that has a source in the code. */
export const tablePages = Object.keys(makers) as (keyof typeof makers)[]

/** Returns the text of a document with the table that its source says now. */
export function withTable(page: keyof typeof makers): string {
  const text = readFileSync(join(root, page), 'utf8')
  const [before, rest, ...others] = text.split('<!-- table -->\n\n')
  const [, after] = rest?.split('\n\n<!-- end of the table -->') ?? []
  if (after === undefined || others.length > 0)
    throw new Error(`${page} has no place for its table.`)
  return `${before}<!-- table -->\n\n${makers[page]()}\n\n<!-- end of the table -->${after}`
}

if (import.meta.main) {
  for (const page of tablePages) writeFileSync(join(root, page), withTable(page))
}
