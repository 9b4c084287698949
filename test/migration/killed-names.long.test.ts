import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '../harness/chain/anvil.ts'
import { startStallingNode } from '../harness/chain/stalling-node.ts'
import { buildNewServer, linesOf, migrate, startMigrate } from '../harness/migration/new-server.ts'
import { post, startServer } from '../harness/process/server.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

/** The names of the old server, and how many versions each has. */
const lines = { ada: 3, 'ada/trading': 1, ben: 2 }

type Settings = Readonly<Record<string, string>>
type Saved = { readonly version: number; readonly contentHash: string; readonly tokenId: string }

/** Saves the versions of all names on a server of its own, a token of another kind between any two. */
async function buildOldNames(env: Settings): Promise<void> {
  const { url, end } = await startServer(env)
  const metadata = { category: 'research' }
  for (const [name, versions] of Object.entries(lines)) {
    for (let version = 1; version <= versions; version++) {
      for (const more of [{ name }, {}]) {
        const body = { data: { of: name, version, ...more }, metadata, ...more }
        const reply = await post(url, '/api/memory/snapshot', JSON.stringify(body))
        expect(reply.status).toBe(201)
      }
    }
  }
  await end('SIGTERM')
}

/** Returns the versions of all names of a server, the first ones first. */
async function readNames(env: Settings): Promise<Readonly<Record<string, readonly Saved[]>>> {
  const { url, end } = await startServer(env)
  const items = async <T>(path: string): Promise<readonly T[]> => {
    const reply = await fetch(`${url}${path}?limit=100`)
    return ((await reply.json()) as { items: readonly T[] }).items
  }
  const found: Record<string, readonly Saved[]> = {}
  for (const { name } of await items<{ name: string }>('/api/names'))
    found[name] = (await items<Saved>(`/api/names/${encodeURIComponent(name)}/versions`))
      .map(({ version, contentHash, tokenId }) => ({ version, contentHash, tokenId }))
      .toReversed()
  await end('SIGTERM')
  return found
}

/** Returns whether a round that began after so many lines of the journal has ended. */
const hasEnded = (folder: string, begun: number): boolean =>
  linesOf(folder) > begun &&
  readFileSync(join(folder, 'migration.jsonl'), 'utf8').endsWith('{"kind":"finished"}\n')

type Databases = { readonly from: Settings; readonly to: Settings }

/**
 * Kills a migration whose last transaction is done at each request for a name that it carries over, one
 * request later each time, until it comes to its end.
 */
async function migrateKilled({ from, to }: Databases) {
  const home = mkdtempSync(join(tmpdir(), 'migrate-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const anvil = await startAnvil({ chainId: 8453 })
  onTestFinished(anvil.stop)
  const folder = join(home, 'new')
  let begun = 0
  const node = await startStallingNode(anvil.url, { counts: () => hasEnded(folder, begun) })
  onTestFinished(node.close)
  const target = await buildNewServer(anvil, home, { ...to, RPC_URL: node.url.href })
  const old = { ...from, DATA_DIR: join(home, 'old') }
  await buildOldNames(old)
  const move = { from: old.DATA_DIR, env: from, to: target }
  const run = async (answered: number) => {
    begun = linesOf(folder)
    const running = startMigrate(move, '--yes', '--json')
    const stalled = node.stallAfter(answered).then(() => running.process.kill('SIGKILL'))
    await Promise.race([stalled, running.ended])
    return running.ended
  }
  let [kills, last] = [0, await run(0)]
  for (; last.code === null; last = await run(kills)) kills++
  node.recover()
  return { kills, last, old, move, target }
}

const postgres = sharedPostgres()

/** Makes two databases, of the old and of the new server. */
async function databases(): Promise<Databases> {
  const make = async (name: string) => {
    await postgres.run(`CREATE DATABASE ${name}`)
    return { DATABASE_URL: new URL(`/${name}`, postgres.url).href }
  }
  return { from: await make('old'), to: await make('new') }
}

describe.each([
  ['files', async () => ({ from: {}, to: {} })],
  ['PostgreSQL', databases],
] as const)('names in %s', (_, open) => {
  test('are there once after kills between the last transaction and their end', async () => {
    const { kills, last, old, move, target } = await migrateKilled(await open())
    expect(last.code, last.err).toBe(0)
    expect(kills).toBeGreaterThan(3)
    const before = await readNames(old)
    const after = await readNames(target.env)
    const counts = Object.fromEntries(
      Object.entries(after).map(([name, all]) => [name, all.length]),
    )
    expect(counts).toEqual(lines)
    const { moved } = JSON.parse(last.out) as { moved: readonly { from: string; to: string }[] }
    const newIdOf = new Map(moved.map((it) => [it.from, it.to]))
    for (const [name, all] of Object.entries(before)) {
      const expected = all.map((it) => ({ ...it, tokenId: newIdOf.get(it.tokenId) }))
      expect(after[name]).toEqual(expected)
    }
    expect((await migrate(move, '--yes')).code).toBe(0)
    expect(await readNames(target.env)).toEqual(after)
  })
})
