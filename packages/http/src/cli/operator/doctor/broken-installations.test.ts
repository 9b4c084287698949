import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFailure } from '@heirloom/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  blocksIn,
  flipBit,
  installation,
  namesOf,
  runDoctor,
  startServer,
  useInstallations,
} from '../../../../test/installation.ts'
import { memory } from '../../../../test/server-harness.ts'
import { recordPlace } from '../../../server/folder-place.ts'
import {
  ensureInstallation,
  type InstallationRecord,
  writeInstallation,
} from '../../../server/installation.ts'

useInstallations()

/** Starts a server on a folder, and makes one more memory there. */
async function addMemory(folder: string): Promise<void> {
  const { url, close } = await startServer(folder)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ...memory, data: { added: folder } })
  const reply = await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
  expect(reply.status).toBe(201)
  const contentHash = contentHashOf(await reply.text())
  // A read waits until the catalogue has the write; on a busy machine it may be refused as too costly.
  const shown = async () => (await fetch(`${url}/api/memory`)).text()
  await expect.poll(shown).toContain(contentHash)
  await close()
}

const contentHashOf = (snapshot: string): string => JSON.parse(snapshot).contentHash

/** Returns an installation with three memories, and its state when it had two. */
async function withEarlierState() {
  const earlier = installation()
  const folder = installation()
  rmSync(folder, { recursive: true })
  cpSync(earlier, folder, { recursive: true })
  recordPlace(folder)
  await addMemory(folder)
  return { folder, earlier }
}

/** Returns an installation that has nothing in common with others. */
async function unrelated(): Promise<string> {
  const folder = installation()
  rmSync(folder, { recursive: true })
  await addMemory(folder)
  return folder
}

const withLogs = (name: string) => [name, `${name}-wal`, `${name}-shm`]

function removePart(folder: string, part: string): void {
  for (const name of withLogs(part)) rmSync(join(folder, name), { recursive: true, force: true })
}

function replacePart(folder: string, from: string, part: string): void {
  removePart(folder, part)
  cpSync(join(from, part), join(folder, part), { recursive: true })
}

/** Restores one part of an installation from its earlier state. */
async function withEarlier(part: string): Promise<string> {
  const { folder, earlier } = await withEarlierState()
  replacePart(folder, earlier, part)
  return folder
}

async function withPartOfAnother(part: string): Promise<string> {
  const folder = installation()
  replacePart(folder, await unrelated(), part)
  return folder
}

function damaged(damage: (folder: string) => void): string {
  const folder = installation()
  damage(folder)
  return folder
}

/** Copies an installation beside itself, as `cp -r` does. */
function copied(): string {
  const folder = installation()
  const copy = `${folder}-copy`
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  mkdirSync(copy, { mode: 0o700 })
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** The small memory, the first one, has one block. */
const smallestBlock = (folder: string) =>
  blocksIn(folder).toSorted(
    (one, other) => readFileSync(one).length - readFileSync(other).length,
  )[0] ?? ''

type Broken = {
  readonly what: string
  readonly make: () => string | Promise<string>
  /** The findings of doctor that are errors. */
  readonly findings: readonly string[]
  /** The outcome of a start: it refuses with a failure, or is not ready because of a part. */
  readonly start: { readonly refuses: string } | { readonly notReady: string } | 'goes on'
}

const table: readonly Broken[] = [
  {
    what: 'the journal of the chain is lost',
    make: () => damaged((folder) => removePart(folder, 'chain.sqlite')),
    findings: ['chain'],
    start: { refuses: 'folder/incomplete' },
  },
  {
    what: 'the journal is older than the jobs',
    make: () => withEarlier('chain.sqlite'),
    findings: ['parts'],
    start: { refuses: 'folder/unusable' },
  },
  {
    what: 'the jobs are older than the journal',
    make: () => withEarlier('jobs.sqlite'),
    findings: ['chain-jobs'],
    start: 'goes on',
  },
  {
    what: 'the jobs are of another installation',
    make: () => withPartOfAnother('jobs.sqlite'),
    findings: ['parts'],
    start: { refuses: 'folder/unusable' },
  },
  {
    what: 'the jobs are lost',
    make: () => damaged((folder) => removePart(folder, 'jobs.sqlite')),
    findings: ['jobs'],
    start: 'goes on',
  },
  {
    what: 'the jobs are damaged',
    make: () => damaged((folder) => destroyPages(join(folder, 'jobs.sqlite'))),
    findings: ['jobs'],
    start: { refuses: 'folder/unusable' },
  },
  {
    what: 'the journal of the chain is damaged',
    make: () => damaged((folder) => destroyPages(join(folder, 'chain.sqlite'))),
    findings: ['chain'],
    start: { refuses: 'folder/unusable' },
  },
  {
    what: 'the blobs are gone',
    make: () => damaged((folder) => removePart(folder, 'blobs')),
    findings: ['blob-store'],
    start: { refuses: 'folder/incomplete' },
  },
  {
    what: 'the blobs are older than the chain',
    make: () => withEarlier('blobs'),
    findings: ['memories'],
    start: { notReady: 'memories/lost' },
  },
  {
    what: 'the block of a memory is deleted',
    make: () => damaged((folder) => rmSync(smallestBlock(folder))),
    findings: ['memories'],
    start: { notReady: 'memories/lost' },
  },
  {
    what: 'the block of a memory is damaged',
    make: () => damaged((folder) => flipBit(smallestBlock(folder))),
    findings: ['memories', 'blocks'],
    start: { notReady: 'memories/lost' },
  },
  {
    what: 'the master key is lost',
    make: () => damaged((folder) => removePart(folder, 'master.keys')),
    findings: ['master-keys'],
    start: { refuses: 'folder/incomplete' },
  },
  {
    what: 'the master key is another one',
    make: () =>
      damaged((folder) => writeFileSync(join(folder, 'master.keys'), `${'77'.repeat(32)}\n`)),
    findings: ['sealing-keys'],
    start: { refuses: 'keys/unusable' },
  },
  {
    what: 'the sealing keys are lost',
    make: () => damaged((folder) => removePart(folder, 'sealing.keys')),
    findings: ['sealing-keys'],
    start: { refuses: 'folder/incomplete' },
  },
  {
    what: 'the key of the agent wallet is lost',
    make: () => damaged((folder) => removePart(folder, 'agent.key')),
    findings: ['agent-key'],
    start: { refuses: 'folder/incomplete' },
  },
  {
    what: 'the key of the agent wallet is another one',
    make: () =>
      damaged((folder) => writeFileSync(join(folder, 'agent.key'), `0x${'5'.repeat(64)}`)),
    findings: ['chain'],
    start: { refuses: 'folder/unusable' },
  },
  {
    what: 'the folder is a restored copy',
    make: () => damaged((folder) => setState(folder, 'copy')),
    findings: ['writer'],
    start: { refuses: 'folder/copied' },
  },
  {
    what: 'the folder is a copy of another one',
    make: copied,
    findings: ['writer'],
    start: { refuses: 'folder/duplicated' },
  },
  {
    what: 'a restored copy replaced the folder',
    make: () => damaged((folder) => setState(folder, 'superseded')),
    findings: ['writer'],
    start: { refuses: 'folder/superseded' },
  },
  {
    what: 'a restore was cut off',
    make: () => damaged((folder) => mkdirSync(join(folder, 'restore-unfinished'))),
    findings: ['writer'],
    start: { refuses: 'folder/unusable' },
  },
]

/** Overwrites every page of a SQLite file but the first, which only says what kind of file it is. */
function destroyPages(path: string): void {
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xa5, 4096))
}

const setState = (folder: string, state: InstallationRecord['state']) =>
  writeInstallation(folder, { ...ensureInstallation(folder), state })

/** Returns how a start on a folder ends. */
async function startOn(folder: string): Promise<Broken['start']> {
  try {
    const { url, ready, close } = await startServer(folder)
    onTestFinished(close)
    await ready
    const response = await fetch(`${url}/readyz`)
    const { code } = (await response.json()) as { readonly code?: string }
    return response.status === 200 ? 'goes on' : { notReady: String(code) }
  } catch (error) {
    if (!isFailure(error)) throw error
    return { refuses: error.code }
  }
}

describe('a broken installation is caught by doctor and by a start', () => {
  test.each(table)('$what', async ({ make, findings, start }) => {
    const folder = await make()
    expect(namesOf(await runDoctor({ DATA_DIR: folder }), 'fail')).toEqual(findings)
    expect(await startOn(folder)).toEqual(start)
  })

  test('every row is in the documentation', () => {
    const page = readFileSync(
      join(import.meta.dirname, '../../../../../../docs/broken-installations.md'),
      'utf8',
    )
    const rows = page.match(/^\| [^|]+ \|/gm) ?? []
    const documented = rows.map((row) => row.slice(2, -2).trim().toLowerCase())
    for (const { what } of table) expect(documented).toContain(what)
  })
})

test('a catalogue that is ahead of a restored chain is built again from that chain', async () => {
  const { folder, earlier } = await withEarlierState()
  // As a copy that was taken part by part: the chain first, the catalogue after one more write.
  const copy = join(folder, 'copy')
  mkdirSync(copy)
  cpSync(earlier, copy, { recursive: true })
  replacePart(copy, folder, 'catalogue.sqlite')
  recordPlace(copy)
  const { url, ready, close } = await startServer(copy)
  onTestFinished(close)
  await ready
  const headers = { 'content-type': 'application/json' }
  const own = { data: { of: 'the copy' }, metadata: { category: 'gaming' }, card: { title: 'New' } }
  const reply = await fetch(`${url}/api/memory/snapshot`, {
    method: 'POST',
    headers,
    body: JSON.stringify(own),
  })
  const { contentHash } = (await reply.json()) as { readonly contentHash: string }
  const tokens = await (await fetch(`${url}/api/memory`)).text()
  expect(tokens).toContain(contentHash)
  expect(tokens.match(/"contentHash"/g)).toHaveLength(3)
})
