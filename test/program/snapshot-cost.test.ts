import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../bench/parts/bundles.ts'
import { type Child, startChild } from '../../bench/parts/child.ts'
import type { CountRequest, CountResponse } from '../../bench/parts/counted-server.ts'
import { smallBundle } from '../../bench/parts/requests.ts'

let server: Child<CountRequest, CountResponse>
let url: string
const folder = mkdtempSync(join(tmpdir(), 'cost-'))

beforeAll(async () => {
  server = await startChild('counted-server.ts')
  const started = await server.ask({ kind: 'start', folder })
  url = 'url' in started ? started.url : ''
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** Makes a snapshot, waits until the catalogue shows it, and returns what SQLite did for it. */
async function statementsOfSnapshot(number: number) {
  await server.ask({ kind: 'report' })
  const reply = await fetch(`${url}/api/memory/snapshot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bundle(smallBundle, `memory ${number}`).toString(),
  })
  const { tokenId } = (await reply.json()) as { readonly tokenId: string }
  await fetch(`${url}/api/memory/${tokenId}/history`)
  const counted = await server.ask({ kind: 'report' })
  return 'statements' in counted ? counted.statements : []
}

/** Returns the act of a statement and its table: `insert job`. */
const actOf = (text: string): string =>
  text
    .replace(/ (or replace|into|from) /gi, ' ')
    .split(/\s+/)
    .slice(0, /^(begin|commit)/i.test(text) ? 1 : 2)
    .join(' ')
    .replaceAll('"', '')
    .toLowerCase()

/** Statements that come with time, and not with a snapshot. */
const isTimed = (text: string) => /^select/i.test(text) && /"(webhook|meta)"/.test(text)

test('a snapshot that is alone takes two commits of the jobs, and a block one statement for each table', async () => {
  const costs = { jobs: [] as string[][], catalogue: [] as string[][] }
  for (let number = 0; number < 8; number++) {
    const statements = await statementsOfSnapshot(number)
    for (const [name, all] of Object.entries(costs)) {
      const own = statements.filter(({ file }) => file === `${name}.sqlite`)
      all.push(own.flatMap(({ text }) => (isTimed(text) ? [] : [actOf(text)])))
    }
  }
  // The first one reads what the others know, and sometimes jobs that ended are looked for.
  const least = (all: string[][]) => all.toSorted((one, other) => one.length - other.length)[0]
  expect(least(costs.jobs)).toEqual([
    ...['begin', 'update lane', 'update spending', 'insert slot', 'insert attempt', 'insert job'],
    ...['commit', 'begin', 'update spending', 'update slot', 'update job', 'commit'],
  ])
  const written = costs.catalogue.map((all) => all.filter((act) => !act.startsWith('select')))
  expect(least(written)).toEqual([
    ...['begin', 'update meta', 'insert mined', 'insert event', 'insert token', 'insert seal'],
    'commit',
    'insert seal',
  ])
})
