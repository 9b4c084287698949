import { randomBytes } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storedBlocks } from '@heirloom/adapters/internal/block-folder'
import type { Digest } from '@heirloom/core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { packsOf } from '../../packages/http/src/server/packs/packs-of.ts'
import { runDoctor } from '../../packages/http/test/installation.ts'
import {
  agentOf,
  downloadAs,
  post,
  type RunningServer,
  type Snapshot,
  serverProgram,
  startServer,
} from '../harness/process/server.ts'
import { earlierProgram, programNames } from '../harness/upgrade/earlier-programs.ts'
import { longestWait } from '../tier.ts'

const text = randomBytes(300_000).toString('base64')
const body = JSON.stringify({ data: { text }, metadata: { category: 'any' } })

let home: string
let folder: string
let minted: Snapshot

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'packs-program-'))
  folder = join(home, 'data')
  // An earlier program opens no contracts of later ones, so the oldest one makes the chain.
  for (const name of programNames.slice(0, 1))
    await whileServing(earlierProgram(name), async () => undefined)
  minted = await whileServing(serverProgram, async ({ url }) => {
    const reply = await post(url, '/api/memory/snapshot', body)
    expect(reply.status).toBe(201)
    const made = (await reply.json()) as Snapshot
    // What an earlier program finds in the catalogue is complete.
    const isFound = async () => (await originalityOf(url, made)) === 'original'
    await vi.waitUntil(isFound, { interval: 20, timeout: longestWait })
    return made
  })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Starts a server on the folder, lets an act use it, and stops it. */
async function whileServing<T>(program: string, act: (server: RunningServer) => Promise<T>) {
  const server = await startServer({ DATA_DIR: folder, SEAL_IN_PARTS: 'true' }, program)
  try {
    return await act(server)
  } finally {
    await server.end('SIGTERM')
  }
}

const download = async (url: string) => {
  const reply = await downloadAs(agentOf(folder), url, minted.tokenId)
  return [reply.status, (await reply.text()) === body]
}

const originalityOf = async (url: string, { contentHash }: Snapshot) => {
  const reply = await fetch(`${url}/api/memory?contentHash=${contentHash}`)
  const { items } = (await reply.json()) as { items: readonly { readonly originality: string }[] }
  return items[0]?.originality
}

const lostMemories = async (url: string) => {
  const reply = await fetch(`${url}/readyz`)
  const { components } = (await reply.json()) as { components: { memories: string } }
  return [reply.status, components.memories]
}

const integrity = async (url: string) => {
  const reply = await fetch(`${url}/api/memory/${minted.tokenId}/integrity`)
  const { present, matches } = (await reply.json()) as { present: boolean; matches: boolean }
  return { present, matches }
}

const pathOf = (digest: Digest) => `${digest.slice(-2)}/1220${digest.slice(2)}`

/** Returns the packs of the memory. */
async function packsOfMemory(): Promise<readonly Digest[]> {
  const blocks = storedBlocks(join(folder, 'blobs'))
  try {
    const root = minted.storageUri.replace('v2:ipfs://', '') as Digest
    return packsOf((await blocks.get(pathOf(root))) ?? new Uint8Array())
  } finally {
    blocks.close()
  }
}

test.each(programNames)(
  'the program %s refuses a version in parts and damages none',
  async (name) => {
    await whileServing(earlierProgram(name), async ({ url }) => {
      expect(await lostMemories(url)).toEqual([503, 'memories/lost'])
      expect((await download(url))[0]).toBeGreaterThanOrEqual(400)
    })
    await whileServing(serverProgram, async ({ url }) => {
      expect(await lostMemories(url)).toEqual([200, 'ok'])
      expect(await download(url)).toEqual([200, true])
    })
  },
)

test('a memory whose pack is missing is reported as lost until the pack is back', async () => {
  const [pack] = await packsOfMemory()
  const file = join(folder, 'blobs/blocks', pathOf(pack as Digest))
  renameSync(file, `${file}.away`)
  const finding = async () =>
    (await runDoctor({ DATA_DIR: folder })).find((it) => it.name === 'memories')
  expect(await finding()).toMatchObject({ level: 'fail' })
  await whileServing(serverProgram, async ({ url }) => {
    expect(await lostMemories(url)).toEqual([503, 'memories/lost'])
    expect(await integrity(url)).toEqual({ present: false, matches: false })
    renameSync(`${file}.away`, file)
    await expect.poll(() => lostMemories(url)).toEqual([200, 'ok'])
    await expect.poll(() => integrity(url)).toEqual({ present: true, matches: true })
  })
  expect(await finding()).toMatchObject({ level: 'ok' })
})
