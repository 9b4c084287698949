import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askServer } from '../../packages/http/src/cli/operator/doctor/ask-server.ts'
import type { Finding } from '../../packages/http/src/cli/operator/doctor/finding.ts'
import { run } from '../../packages/http/test/command-harness.ts'
import { installation, runDoctor, useInstallations } from '../../packages/http/test/installation.ts'
import { startObjectStore } from '../harness/process/object-store.ts'
import { hostServer, serverProgram } from '../harness/process/server.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

useInstallations()

const failuresOf = (findings: readonly Finding[]) => findings.filter((it) => it.level === 'fail')

/** Returns what a start says before it ends. */
const startWith = async (env: Readonly<Record<string, string>>): Promise<string> =>
  (await run(['serve'], { env: { PORT: '0', LOG_LEVEL: 'silent', ...env } })).err

describe('a disk is named alone', () => {
  /** Runs a command of the program where a file system is mounted over a folder. */
  function runMounted(folder: string, mount: string, ...words: readonly string[]) {
    const shell = ['-rm', 'sh', '-c', `${mount} && exec "$@"`, folder]
    const program = [process.execPath, serverProgram, ...words]
    const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder }
    return spawnSync('unshare', [...shell, ...program], { env, encoding: 'utf8' })
  }
  const readOnly = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"'
  const full =
    'cp -a "$0" "$0-whole" && mount -t tmpfs -o size=12m,mode=0700 tmpfs "$0" && cp -a "$0-whole"/. "$0" && rm -r "$0-whole" && { cat /dev/zero > "$0/filler" 2> /dev/null || true; } && cd /'

  test.each([
    ['read-only', readOnly, /its disk is read-only/, /^Make it writable\.$/],
    ['full', full, /has \d MiB free/, /^Free some space/],
  ])('when it is %s', (_, mount, sentence, advice) => {
    const folder = installation()
    rmSync(join(folder, 'installation.json'))
    const { stdout, status } = runMounted(folder, mount, 'doctor', '--json')
    const findings: readonly Finding[] = JSON.parse(stdout)
    expect([status, failuresOf(findings)]).toEqual([
      1,
      [expect.objectContaining({ name: 'disk', sentence: expect.stringMatching(sentence) })],
    ])
    expect(failuresOf(findings)[0]?.advice).toMatch(advice)
    const left = findings.filter(({ skippedBecause }) => skippedBecause !== undefined)
    expect(left.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['chain', 'jobs', 'catalogue', 'blob-store', 'blob-store-laws']),
    )
    for (const { skippedBecause } of left) expect(skippedBecause).toMatch(/^its disk is /)
  })

  test.each([
    ['read-only', readOnly, /cannot be used: its disk is read-only .*; make it writable\.\n$/],
    ['full', full, /cannot be used: its disk is full .*; free some space on it\.\n$/],
  ])('by a start, when it is %s', (_, mount, sentence) => {
    const folder = installation()
    rmSync(join(folder, 'installation.json'))
    expect(runMounted(folder, mount, 'serve').stderr).toMatch(sentence)
  })
})

describe('a database is named by its own words', () => {
  const postgres = sharedPostgres()
  const urlWith = (change: (url: URL) => void) => {
    const url = new URL(postgres.url)
    change(url)
    return url.href
  }

  test.each([
    ['does not exist', 'nothing', '', 'database "nothing" does not exist', /Create the database/],
    [
      ...(['takes no writes', 'postgres', '-c default_transaction_read_only=on'] as const),
      ...['in a read-only transaction', /to the primary/],
    ] as const,
  ] as const)('that %s, by doctor and by a start', async (_, name, options, words, remedy) => {
    const DATABASE_URL = urlWith((url) => {
      url.pathname = `/${name}`
      if (options !== '') url.searchParams.set('options', options)
    })
    const env = { DATA_DIR: installation(), DATABASE_URL }
    const broken = failuresOf(await runDoctor(env))
    expect(broken.map((it) => it.name)).toContain('jobs')
    for (const { sentence, advice } of broken) {
      expect([sentence, advice]).toEqual([
        expect.stringContaining(words),
        expect.stringMatching(remedy),
      ])
    }
    const refusal = await startWith(env)
    expect([refusal, refusal]).toEqual([
      expect.stringContaining(words),
      expect.stringMatching(remedy),
    ])
  })
})

test('a server that is not ready is reported with its trouble, in its words', async () => {
  const folder = installation()
  const server = await hostServer({ DATA_DIR: folder })
  onTestFinished(async () => void (await server.end()))
  rmSync(join(folder, 'blobs'), { recursive: true })
  const report = await askServer({ url: new URL(server.url) })
  const { detail } = (await (await fetch(`${server.url}/readyz`)).json()) as { detail: string }
  expect(report?.server.sentence).toMatch(/ its trouble is with .*storage.*: /)
  expect(report?.server.sentence).toContain(detail)
})

test('a bucket that refuses the secret has one remedy, whichever check meets it', async () => {
  const store = await startObjectStore()
  onTestFinished(store.close)
  store.fault = (_, response) => {
    response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    return true
  }
  const folder = installation()
  rmSync(join(folder, 'blobs'), { recursive: true })
  const keys = { AWS_ACCESS_KEY_ID: 'known', AWS_SECRET_ACCESS_KEY: 'wrong-secret' }
  const BLOB_URL = `s3://memories?endpoint=${store.url}`
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, BLOB_URL, ...keys }
  const words = [serverProgram, 'doctor', '--json']
  // The store is in this process, which must not wait for the command.
  const { stdout } = await promisify(execFile)(process.execPath, words, { env }).catch((it) => it)
  const broken = failuresOf(JSON.parse(stdout))
  expect(broken.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['memory-keys', 'memories', 'blob-store']),
  )
  for (const { name, advice } of broken) {
    expect([name, advice]).toEqual([name, expect.stringContaining('Correct the credentials')])
  }
  expect(stdout).not.toContain('wrong-secret')
})

describe('doctor finds what a start refuses', () => {
  test('a file of API keys that is not JSON', async () => {
    const folder = installation()
    const API_KEYS_FILE = join(folder, 'api-keys.json')
    const env = { DATA_DIR: folder, API_KEYS_FILE }
    writeFileSync(API_KEYS_FILE, 'no json')
    const finding = { name: 'api-keys', sentence: 'API_KEYS_FILE is not JSON.' }
    expect(failuresOf(await runDoctor(env))).toMatchObject([finding])
    expect(await startWith(env)).toBe('API_KEYS_FILE is not JSON.\n')
    writeFileSync(API_KEYS_FILE, '{"keys":[]}')
    expect(failuresOf(await runDoctor(env))).toEqual([])
  })

  test('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const PORT = String((taken.address() as { readonly port: number }).port)
    const findings = await runDoctor({ DATA_DIR: installation(), PORT })
    expect(findings.find(({ name }) => name === 'port')).toMatchObject({
      level: 'warn',
      sentence: expect.stringContaining(`PORT ${PORT} at 127.0.0.1 is in use`),
    })
  })

  test('a variable that is almost a setting, which a start logs', async () => {
    const folder = installation()
    const sentence = 'DATBASE_URL is set, and is no setting; DATABASE_URL is one.'
    const env = { DATA_DIR: folder, DATBASE_URL: 'postgres://nowhere' }
    expect(await runDoctor(env)).toContainEqual(
      expect.objectContaining({ level: 'warn', name: 'config', sentence }),
    )
    const API_KEYS_FILE = join(folder, 'missing.json')
    expect(await startWith({ ...env, API_KEYS_FILE, LOG_LEVEL: 'warn' })).toContain(sentence)
  })
})

describe('the remedy follows the cause', () => {
  test.each([
    ['agent.key', 'chain', /^Put back the agent\.key/, /put back the agent\.key/],
    ['jobs.sqlite', 'jobs', /^Restore it from the newest backup/, /jobs\.sqlite is damaged/],
    ['chain.sqlite', 'chain', /^Restore it from the newest backup/, /chain\.sqlite is damaged/],
  ])('where %s is another one or damaged', async (file, name, advice, refusal) => {
    const folder = installation()
    writeFileSync(
      join(folder, file),
      file === 'agent.key' ? `0x${'5'.repeat(64)}` : 'x'.repeat(9e4),
    )
    expect(failuresOf(await runDoctor({ DATA_DIR: folder }))).toMatchObject([
      { name, advice: expect.stringMatching(advice) },
    ])
    expect(await startWith({ DATA_DIR: folder })).toMatch(refusal)
  })

  test.each([
    ['agent.key', 'agent-key'],
    ['master.keys', 'master-keys'],
  ])('where %s is lost, which no backup holds', async (file, name) => {
    const folder = installation()
    rmSync(join(folder, file))
    const advice = 'Put it back from where you keep it; no backup holds it.'
    expect(failuresOf(await runDoctor({ DATA_DIR: folder }))).toMatchObject([{ name, advice }])
  })

  test.each([
    [
      'chain',
      'chain.sqlite',
      'PRAGMA user_version = 9',
      /^Run the version of Heirloom that made it/,
    ],
    ['chain', 'chain.sqlite', 'ALTER TABLE head RENAME TO other', /put nothing back/],
    ['jobs', 'jobs.sqlite', 'ALTER TABLE job RENAME TO other', /put nothing back/],
  ])(
    'where %s does not open for another reason than damage',
    async (name, file, change, advice) => {
      const folder = installation()
      const db = new DatabaseSync(join(folder, file))
      db.exec(change)
      db.close()
      const broken = failuresOf(await runDoctor({ DATA_DIR: folder }))
      const finding = broken.find((it) => it.name === name)
      expect(finding?.advice).toMatch(advice)
      for (const it of broken) expect(it.advice).not.toMatch(/restore/i)
    },
  )

  test('lost jobs have another finding than jobs that never existed', async () => {
    const folder = installation()
    rmSync(join(folder, 'jobs.sqlite'))
    expect(failuresOf(await runDoctor({ DATA_DIR: folder }))).toMatchObject([
      {
        name: 'jobs',
        sentence: expect.stringMatching(/jobs\.sqlite is lost, for .*chain\.sqlite/),
      },
    ])
    for (const part of ['chain.sqlite', 'blobs', 'catalogue.sqlite', 'agent.key'])
      rmSync(join(folder, part), { recursive: true })
    expect(failuresOf(await runDoctor({ DATA_DIR: folder }))).toEqual([])
  })
})
