import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '../harness/chain/anvil.ts'
import { buildNewServer } from '../harness/migration/new-server.ts'
import { startLoggedServer } from '../harness/observability/logged-server.ts'
import { type Environment, hostServer, post } from '../harness/process/server.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'compare-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a server, uses it, and stops it. */
async function withServer<T>(environment: Environment, use: (url: string) => Promise<T>) {
  const { url, end } = await hostServer(environment)
  try {
    return await use(url)
  } finally {
    await end()
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
    const server = await hostServer({ ...state.settings, LOG_LEVEL: 'warn' })
    onTestFinished(async () => void (await server.end()))
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

test('a start with jobs that are lost removes no memory whose blobs nobody had claimed', async () => {
  const folder = newFolder()
  const settings = { DATA_DIR: folder }
  await withServer(settings, (url) => addMemory(url, 'one'))
  // As a kill between the mint and its claim leaves them.
  const notes = join(folder, 'blobs', 'unclaimed', 'notes')
  writeFileSync(notes, readFileSync(notes, 'utf8').replaceAll(/^.* forgotten$/gm, ''))
  for (const file of readdirSync(folder)) {
    if (file.startsWith('jobs.sqlite')) rmSync(join(folder, file))
  }
  for (const _start of ['first', 'second']) {
    const found = await withServer(settings, async (url) => {
      const reply = await fetch(`${url}/api/memory/1/integrity`)
      return reply.json()
    })
    expect(found).toMatchObject({ present: true })
  }
})

const shopKey = 'key-of-a-shop'
const headers = { authorization: `Bearer ${shopKey}`, 'content-type': 'application/json' }

const jobFile = 'jobs.sqlite'

/** Writes a file with a key that has a budget of a day, in wei. */
function keyFile(perDay: bigint): string {
  const path = join(newFolder(), 'keys.json')
  const sha256 = createHash('sha256').update(shopKey).digest('hex')
  const shop = { name: 'shop', scope: 'write', sha256, perDay: String(perDay) }
  writeFileSync(path, JSON.stringify({ keys: [shop] }))
  return path
}

/** Makes a memory in the name of the shop; returns the status and the code of a failure. */
async function addInName(url: string, name: string) {
  const body = JSON.stringify({ data: { name }, metadata: { category: 'research' } })
  const response = await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
  const { code } = (await response.json()) as { readonly code?: string }
  return [response.status, code]
}

type Spending = { readonly spentToday: string; readonly apiKey: { readonly spentToday: string } }

async function readSpending(url: string): Promise<Spending> {
  const response = await fetch(`${url}/api/wallet`, { headers })
  const { spentToday, apiKey } = (await response.json()) as Spending
  return { spentToday, apiKey: { spentToday: apiKey.spentToday } }
}

/** Spends in the name of a shop, loses something, and returns what counts before and afterwards. */
async function spendAndLose(
  settings: Environment & { readonly DATA_DIR: string },
  lose: (folder: string) => void,
) {
  const generous = { ...settings, API_KEYS_FILE: keyFile(10n ** 18n) }
  const spent = await withServer(generous, async (url) => {
    expect(await addInName(url, 'one')).toEqual([201, undefined])
    expect(await addInName(url, 'two')).toEqual([201, undefined])
    return readSpending(url)
  })
  lose(settings.DATA_DIR)
  const exhausted = { ...settings, API_KEYS_FILE: keyFile(BigInt(spent.apiKey.spentToday)) }
  const after = await withServer(exhausted, async (url) => {
    const found = await readSpending(url)
    expect(await addInName(url, 'three')).toEqual([429, 'api-key/day-limit'])
    return found
  })
  await withServer(generous, async (url) => {
    expect(await addInName(url, 'four')).toEqual([201, undefined])
    const now = BigInt((await readSpending(url)).apiKey.spentToday)
    expect(now).toBeGreaterThan(BigInt(after.apiKey.spentToday))
  })
  expect(BigInt(spent.apiKey.spentToday)).toBeGreaterThan(0n)
  expect(after).toEqual(spent)
}

function loseJobs(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.startsWith(jobFile))
  for (const name of names) rmSync(join(folder, name))
}

describe('what was spent today counts in every name', () => {
  test('after the jobs are lost', async () => {
    await spendAndLose({ DATA_DIR: newFolder() }, loseJobs)
  })

  test.each([
    ['the jobs are', loseJobs],
    ['the folder is', (folder: string) => rmSync(folder, { recursive: true })],
  ])('after %s lost that wrote to a chain elsewhere', async (_, lose) => {
    const anvil = await startAnvil()
    onTestFinished(() => anvil.stop())
    const { env, folder } = await buildNewServer(anvil, newFolder())
    await spendAndLose({ ...env, DATA_DIR: folder }, lose)
  })
})

test('a new chain has nothing that its jobs do not know', async () => {
  const server = await startLoggedServer({ LOG_LEVEL: 'warn' })
  await fetch(`${server.url}/readyz`)
  expect(await spentToday(server.url)).toBe('0')
  await server.end('SIGTERM')
  expect(server.lines().filter(({ msg }) => msg.includes('jobs are older'))).toEqual([])
})

describe('with jobs in PostgreSQL, an embedded chain', () => {
  const database = async (name: string) => {
    await postgres.run(`CREATE DATABASE ${name}`)
    return { DATABASE_URL: new URL(`/${name}`, postgres.url).href }
  }

  test('that is older than its jobs is refused', async () => {
    const state = await withEarlier(await database('older_chain'))
    restore('chain.sqlite', state)
    await expect(hostServer(state.settings)).rejects.toThrow(
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
    await expect(hostServer(state.settings)).rejects.toThrow(/has another block \d+/)
  })

  test('that fits its jobs is not', async () => {
    const { settings } = await withEarlier(await database('fitting'))
    await withServer(settings, (url) => addMemory(url, 'three'))
  })
})
