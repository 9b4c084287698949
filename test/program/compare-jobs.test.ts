import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startLoggedServer } from '../harness/observability/logged-server.ts'
import { type Environment, post, startServer } from '../harness/process/server.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'compare-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a server, uses it, and stops it. */
async function withServer<T>(environment: Environment, use: (url: string) => Promise<T>) {
  const { url, end } = await startServer(environment)
  try {
    return await use(url)
  } finally {
    await end('SIGTERM')
  }
}

async function addMemory(url: string, name: string): Promise<void> {
  const body = JSON.stringify({ data: { name }, metadata: { category: 'research' } })
  expect((await post(url, '/api/memory/snapshot', body)).status).toBe(201)
}

async function spentToday(url: string): Promise<string> {
  const wallet = (await (await fetch(`${url}/api/wallet`)).json()) as {
    readonly spentToday: string
  }
  return wallet.spentToday
}

/** Returns a folder with two memories, a copy of it from when it had one, and what was spent. */
async function withEarlier(environment: Environment = {}, between = async () => {}) {
  const [folder, earlier] = [newFolder(), newFolder()]
  const settings = { ...environment, DATA_DIR: folder }
  await withServer(settings, (url) => addMemory(url, 'one'))
  cpSync(folder, earlier, { recursive: true })
  await between()
  const spent = await withServer(settings, async (url) => {
    await addMemory(url, 'two')
    return spentToday(url)
  })
  return { settings, folder, earlier, spent }
}

const restore = (part: string, { folder, earlier }: Record<'folder' | 'earlier', string>) =>
  cpSync(join(earlier, part), join(folder, part))

describe('jobs that are older than the embedded chain', () => {
  test('are named in the log, and what they do not know counts as spent', async () => {
    const state = await withEarlier()
    restore('jobs.sqlite', state)
    const server = await startServer({ ...state.settings, LOG_LEVEL: 'warn' })
    onTestFinished(async () => void (await server.end('SIGTERM')))
    expect(await spentToday(server.url)).toBe(state.spent)
    await addMemory(server.url, 'three')
  })

  test('are named once', async () => {
    const state = await withEarlier()
    restore('jobs.sqlite', state)
    const found = []
    for (const _start of ['first', 'second']) {
      const server = await startLoggedServer({ ...state.settings, LOG_LEVEL: 'warn' })
      await fetch(`${server.url}/readyz`)
      await server.end('SIGTERM')
      found.push(server.lines().filter(({ msg }) => msg.includes('jobs are older')))
    }
    expect(found).toMatchObject([[{ transactions: 1 }], []])
  })
})

describe('with jobs in PostgreSQL, an embedded chain', () => {
  const database = async (name: string) => {
    await postgres.run(`CREATE DATABASE ${name}`)
    return { DATABASE_URL: new URL(`/${name}`, postgres.url).href }
  }

  test('that is older than its jobs is refused', async () => {
    const state = await withEarlier(await database('older_chain'))
    restore('chain.sqlite', state)
    await expect(startServer(state.settings)).rejects.toThrow(
      /ends before block \d+, which the jobs of DATABASE_URL have seen/,
    )
  })

  test('that went on apart from its jobs is refused', async () => {
    const copy = { DATABASE_URL: new URL('/copied_jobs', postgres.url).href }
    const state = await withEarlier(await database('split_chain'), async () => {
      await postgres.run('CREATE DATABASE copied_jobs TEMPLATE split_chain')
    })
    restore('chain.sqlite', state)
    await withServer({ ...state.settings, ...copy }, (url) => addMemory(url, 'another two'))
    await expect(startServer(state.settings)).rejects.toThrow(/has another block \d+/)
  })

  test('that fits its jobs is not', async () => {
    const { settings } = await withEarlier(await database('fitting'))
    await withServer(settings, (url) => addMemory(url, 'three'))
  })
})
