import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  blocksIn,
  installation,
  secretsIn,
  startServer,
  useInstallations,
} from '../../../test/installation.ts'
import { readConfig } from '../../config/config.ts'
import { serve } from '../serve.ts'

useInstallations()

type Lost = readonly [lost: readonly string[], missing: string, beside: string]

const database = (name: string) => [name, `${name}-wal`, `${name}-shm`]

const losses: readonly Lost[] = [
  [['agent.key'], 'agent.key', 'chain.sqlite'],
  [['master.keys'], 'master.keys', 'sealing.keys'],
  [['sealing.keys'], 'sealing.keys', 'blobs'],
  [['master.keys', 'sealing.keys'], 'master.keys', 'blobs'],
  [database('chain.sqlite'), 'chain.sqlite', 'catalogue.sqlite'],
  [[...database('chain.sqlite'), 'agent.key'], 'chain.sqlite', 'catalogue.sqlite'],
  [[...database('chain.sqlite'), ...database('catalogue.sqlite')], 'chain.sqlite', 'blobs'],
  [[...database('chain.sqlite'), 'blobs'], 'chain.sqlite', 'catalogue.sqlite'],
  [
    [...database('chain.sqlite'), ...database('catalogue.sqlite'), 'blobs'],
    ...(['chain.sqlite', 'jobs.sqlite'] as const),
  ],
  [['blobs'], 'blobs', 'chain.sqlite'],
  [['blobs', 'master.keys', 'sealing.keys'], 'blobs', 'chain.sqlite'],
]

type Emptied = readonly [name: string, empty: (path: string) => void]

/** The ways to empty a journal. */
const emptyJournals: readonly Emptied[] = [
  ['no bytes', (path) => writeFileSync(path, '')],
  ['no tables', (path) => alter(path, 'DROP TABLE entry; DROP TABLE head; DROP TABLE genesis')],
  ['no entries', (path) => alter(path, 'DELETE FROM entry; DELETE FROM head')],
]

function alter(path: string, sql: string): void {
  const file = new DatabaseSync(path)
  file.exec(`${sql}; PRAGMA user_version = ${sql.startsWith('DROP') ? 0 : 1}`)
  file.close()
}

/** Returns the bytes of every file in a folder. */
const contents = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path).toString('hex')]),
  )

describe('a server whose data folder lost a part', () => {
  test.each(losses)(
    '(%s) does not start, and creates no replacement',
    async (lost, missing, beside) => {
      const folder = installation()
      for (const name of lost) rmSync(join(folder, name), { recursive: true, force: true })
      const before = contents(folder)
      const facts = { missing: join(folder, missing), beside: join(folder, beside) }
      await expect(startServer(folder)).rejects.toMatchObject({ code: 'folder/incomplete', facts })
      expect(contents(folder)).toEqual(before)
    },
  )

  test.each(emptyJournals)('does not start with a chain.sqlite of %s', async (_, empty) => {
    const folder = installation()
    const missing = join(folder, 'chain.sqlite')
    empty(missing)
    let before = contents(folder)
    for (const name of ['catalogue.sqlite', 'blobs', 'jobs.sqlite']) {
      const facts = { missing, beside: join(folder, name) }
      await expect(startServer(folder)).rejects.toMatchObject({ code: 'folder/incomplete', facts })
      expect(contents(folder)).toEqual(before)
      rmSync(facts.beside, { recursive: true })
      before = contents(folder)
    }
  })

  test('generates no new keys beside a chain with tokens, even without any blob', async () => {
    const folder = installation()
    for (const path of blocksIn(folder)) rmSync(path)
    for (const name of ['master.keys', 'sealing.keys']) rmSync(join(folder, name))
    const before = contents(folder)
    const beside = join(folder, 'chain.sqlite')
    for (const [env, name] of [
      [{}, 'master.keys'],
      [{ MASTER_KEYS: '77'.repeat(32) }, 'sealing.keys'],
    ] as const) {
      const config = readConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ...env })
      const facts = { missing: join(folder, name), beside }
      await expect(serve(config)).rejects.toMatchObject({ code: 'folder/incomplete', facts })
    }
    expect(contents(folder)).toEqual(before)
  })

  test('does not start with a master key that opens nothing, and names both', async () => {
    const folder = installation()
    const before = contents(folder)
    const { records } = JSON.parse(readFileSync(join(folder, 'sealing.keys'), 'utf8'))
    const env = { DATA_DIR: folder, PORT: '0', MASTER_KEYS: '77'.repeat(32) }
    const problem = expect.stringMatching(
      new RegExp(`\\([0-9a-f]{16}\\) open none of the 1 .* wrapped by ${records[0].master}`),
    )
    await expect(serve(readConfig(env))).rejects.toMatchObject({
      code: 'keys/unusable',
      facts: { problem },
    })
    expect(contents(folder)).toEqual(before)
  })

  test('starts with the configured wallet key if only agent.key was lost', async () => {
    const folder = installation()
    const [AGENT_PRIVATE_KEY] = secretsIn(folder)
    rmSync(join(folder, 'agent.key'))
    const config = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', AGENT_PRIVATE_KEY }
    const server = await serve(readConfig(config))
    await server.ready
    await server.close()
  })
})

describe('a data folder without memories', () => {
  test('gets new keys after it lost them', async () => {
    const folder = installation()
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
    await (await startServer(folder)).close()
    for (const name of ['master.keys', 'sealing.keys']) rmSync(join(folder, name))
    const server = await startServer(folder)
    await server.ready
    await server.close()
  })
})

describe('a data folder whose first start was interrupted', () => {
  test.each(emptyJournals)('starts with a chain.sqlite of %s', async (_, empty) => {
    const folder = installation()
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
    await (await startServer(folder)).close()
    empty(join(folder, 'chain.sqlite'))
    const server = await startServer(folder)
    onTestFinished(server.close)
    await server.ready
  })
})

describe('a server whose memories are sealed under missing keys', () => {
  test('starts, and reports how many memories there are', async () => {
    const [folder, other] = [installation(), installation()]
    for (const name of readdirSync(other)) {
      if (name !== 'master.keys') rmSync(join(other, name), { recursive: true })
    }
    await (await startServer(other)).close()
    cpSync(join(other, 'sealing.keys'), join(folder, 'sealing.keys'))
    const server = await startServer(folder)
    onTestFinished(server.close)
    await server.ready
    const ready = await fetch(`${server.url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      component: 'keys',
      code: 'keys/not-here',
      facts: { memories: 2, keys: 1 },
      components: { chain: 'ok', storage: 'ok', keys: 'keys/not-here' },
    })
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('heirloom_memories_without_key 2\n')
  })
})

describe('a master key in a file', () => {
  test('may be outside of the data folder, and is generated there', async () => {
    const [folder, outside] = [installation(), installation()]
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
    const MASTER_KEY_FILE = join(outside, 'elsewhere.keys')
    const config = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', MASTER_KEY_FILE }
    await (await serve(readConfig(config))).close()
    expect(readFileSync(MASTER_KEY_FILE, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
    expect(readdirSync(folder)).not.toContain('master.keys')
    writeFileSync(MASTER_KEY_FILE, '')
    await expect(serve(readConfig(config))).rejects.toMatchObject({
      code: 'config/invalid',
      facts: { name: MASTER_KEY_FILE, problem: 'holds no key' },
    })
    chmodSync(MASTER_KEY_FILE, 0o644)
    await expect(serve(readConfig(config))).rejects.toMatchObject({
      code: 'config/invalid',
      facts: { name: MASTER_KEY_FILE, problem: expect.stringContaining('(mode 0644)') },
    })
  })
})
