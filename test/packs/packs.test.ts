import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heliaBlobStorage } from '@heirloom/adapters/blob-store'
import { s3BlobStorage } from '@heirloom/adapters/blob-store/s3'
import { storedBlocks } from '@heirloom/adapters/internal/block-folder'
import { postgresJobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import { account, type BlobStorage, type Digest } from '@heirloom/core'
import { memoryBlobStorage, wallets } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type PackServer, packServer, packWorld } from '../harness/packs/pack-server.ts'
import { arbitraryStory, playStory } from '../harness/packs/pack-story.ts'
import { readMinted, saveUntilKilled } from '../harness/packs/save-until-killed.ts'
import { sharedBucket } from '../harness/process/shared-bucket.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const hour = 3_600_000

/** Opens servers over storages, with one job store in memory. */
async function openServers(storages: readonly BlobStorage[]) {
  const world = packWorld()
  const jobs = await sqliteJobStore(':memory:')
  const servers: PackServer[] = []
  for (const storage of storages) servers.push(await packServer(world, storage, jobs))
  const close = async () => {
    for (const server of servers) await server.close()
    await jobs.close()
  }
  return { world, servers, close }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'packs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('in any order of saves, failures, crashes and sweeps every minted version opens, and what none needs goes', () => {
  test('with fakes and SQLite, two servers at one place', async () => {
    const story = fc.asyncProperty(arbitraryStory(2), async (steps) => {
      const { storage, beside } = memoryBlobStorage()
      const { world, servers, close } = await openServers([storage, beside ?? storage])
      try {
        await playStory(world, servers, steps)
      } finally {
        await close()
      }
    })
    await fc.assert(story, { numRuns: 40 })
  })

  test('with a folder and SQLite', async () => {
    const story = fc.asyncProperty(
      arbitraryStory(1, ['one', 'big two', 'big three']),
      async (steps) => {
        const storage = heliaBlobStorage({ folder: newFolder() })
        const { world, servers, close } = await openServers([storage])
        try {
          await playStory(world, servers, steps)
        } finally {
          await close()
        }
      },
    )
    await fc.assert(story, { numRuns: 8 })
  })
})

test('a server that is killed again and again loses no minted version and leaves nothing behind', async () => {
  const folder = newFolder()
  for (const delay of [300, 500, 700]) await saveUntilKilled(folder, delay)
  const world = packWorld()
  for (const root of readMinted(folder)) world.minted.add(root)
  const jobs = await sqliteJobStore(join(folder, 'jobs.sqlite'))
  const storage = heliaBlobStorage({ folder: join(folder, 'blobs') })
  const server = await packServer(world, storage, jobs)
  const needed = new Set<Digest>()
  for (const root of world.minted) {
    for (const blob of [root, ...(await server.packs(root))]) needed.add(blob)
  }
  expect(needed.size).toBeGreaterThan(3)
  world.now = Date.now() + 49 * hour
  expect(await server.sweep()).toEqual([])
  for (const root of world.minted) await server.open(root)
  // Without what is needed the folder is empty.
  for (const blob of needed) await server.remove(blob)
  await server.close()
  await jobs.close()
  const blocks = storedBlocks(join(folder, 'blobs'))
  expect([...(await blocks.list()).keys()]).toEqual([])
  blocks.close()
})

test('the removal of a version leaves another whole that begins with the same bytes', async () => {
  const storage = heliaBlobStorage({ folder: newFolder() })
  const { world, servers, close } = await openServers([storage])
  onTestFinished(close)
  const [server] = servers as [PackServer]
  const cuts = [1000, 1000, 2000]
  world.drawCut = () => cuts.shift() ?? 0
  await server.save({ text: 'big one' })
  world.pending.clear()
  const minted = await server.save({ text: 'big two' })
  world.minted.add(minted as Digest)
  world.now += 50 * hour
  await server.sweep()
  expect((await server.stored(world.packs)).size).toBe(1)
  await server.open(minted as Digest)
  expect(cuts).toEqual([])
})

describe('with a bucket and PostgreSQL', () => {
  const postgres = sharedPostgres()
  const bucket = sharedBucket()
  let places = 0

  test('two servers lose and leak nothing', async () => {
    const story = fc.asyncProperty(arbitraryStory(2), async (steps) => {
      const prefix = `packs-${places++}/`
      const name = `packs_${places}`
      await postgres.run(`CREATE DATABASE ${name}`)
      const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` })
      const world = packWorld()
      const opened = [1, 2].map(async () => {
        const place = { ...bucket.place, prefix }
        const { credentials } = bucket
        const storage = s3BlobStorage({ place, folder: newFolder(), credentials })
        const jobs = await postgresJobStore(url.href)
        return { jobs, server: await packServer(world, storage, jobs) }
      })
      const servers = await Promise.all(opened)
      try {
        await playStory(
          world,
          servers.map(({ server }) => server),
          steps,
        )
      } finally {
        for (const { server, jobs } of servers) {
          await server.close()
          await jobs.close()
        }
      }
    })
    await fc.assert(story, { numRuns: 3 })
  })
})

/** Opens one server over a storage in memory. */
async function openOne() {
  const place = memoryBlobStorage()
  const { world, servers, close } = await openServers([place.storage])
  onTestFinished(close)
  const [server] = servers as [PackServer]
  const mint = async (text: string, previous?: Awaited<ReturnType<PackServer['save']>>) => {
    const root = await server.save({ text, previous })
    if (root === undefined) throw new Error('no root')
    world.pending.delete(root)
    world.minted.add(root)
    return root
  }
  return { ...place, world, server, mint }
}

describe('a sweep', () => {
  test('removes nothing while the chain does not answer', async () => {
    const { world, server } = await openOne()
    const root = await server.save({ text: 'one' })
    world.pending.clear()
    world.now += 50 * hour
    world.isChainDown = true
    await expect(server.sweep()).rejects.toMatchObject({ code: 'ledger/unavailable' })
    expect((await server.stored(world.packs)).size).toBe(1)
    world.isChainDown = false
    await server.sweep()
    expect((await server.stored(world.packs)).size).toBe(0)
    expect(root).toBeDefined()
  })

  test('removes no pack of the last day', async () => {
    const { world, server } = await openOne()
    await server.save({ text: 'one' })
    world.pending.clear()
    world.now += 23 * hour
    await server.sweep()
    expect((await server.stored(world.packs)).size).toBe(1)
  })

  test('removes no pack of a version whose mint is not decided for days', async () => {
    const { world, server } = await openOne()
    const root = await server.save({ text: 'one' })
    world.now += 50 * hour
    await server.sweep()
    await server.open(root as Digest)
    world.now += 200 * hour
    await server.sweep()
    await server.open(root as Digest)
  })

  test('loses no pack that it removes between the put of a save and its note', async () => {
    const { world, server, mint } = await openOne()
    await server.save({ text: 'one' })
    world.pending.clear()
    world.now += 50 * hour
    world.afterPut = async () => {
      world.afterPut = undefined
      await server.sweep()
      expect((await server.stored(world.packs)).size).toBe(0)
    }
    await server.open(await mint('one'))
  })

  test('retains what a save leases while the sweep reads the chain', async () => {
    const { world, server, mint } = await openOne()
    const first = await server.save({ text: 'one' })
    world.pending.clear()
    world.now += 50 * hour
    let second: Digest | undefined
    world.whileReading = async () => {
      second = await mint('two', first)
    }
    await server.sweep()
    expect(await server.packs(second as Digest)).toHaveLength(2)
    await server.open(second as Digest)
  })

  test('finds the packs of a root that had no note before it was removed', async () => {
    const { world, server, mint, storage } = await openOne()
    const root = await mint('one')
    const jobs = await sqliteJobStore(':memory:')
    onTestFinished(jobs.close)
    const other = await packServer(world, storage, jobs)
    await other.adopt(root)
    world.erased.add(root)
    await other.remove(root)
    world.now += 50 * hour
    expect(await other.sweep()).toEqual([])
    expect((await server.stored(world.packs)).size).toBe(0)
  })

  test('retains what a save leased from a version that nobody minted', async () => {
    const { world, server } = await openOne()
    const first = await server.save({ text: 'one' })
    world.now += 23 * hour
    const second = await server.save({ text: 'two', previous: first })
    world.pending.clear()
    world.now += 2 * hour
    await server.sweep()
    if (second !== undefined) world.minted.add(second)
    await server.open(second as never)
  })

  test('reads the packs of a token from its blob when the notes are lost', async () => {
    const { world, server, mint, storage } = await openOne()
    const root = await mint('one')
    const jobs = await sqliteJobStore(':memory:')
    onTestFinished(jobs.close)
    const other = await packServer(world, storage, jobs)
    // The save leases the packs of the last version, which these notes do not know.
    await other.save({ text: 'two', previous: root })
    world.pending.clear()
    world.now += 50 * hour
    expect(await other.sweep()).toEqual([])
    await other.open(root)
    expect((await server.stored(world.packs)).size).toBe(1)
  })

  test('removes no pack of ours while one of our memories cannot be read', async () => {
    const { world, server, mint, storage } = await openOne()
    const root = await mint('one')
    const jobs = await sqliteJobStore(':memory:')
    onTestFinished(jobs.close)
    const other = await packServer(world, storage, jobs)
    await other.save({ text: 'two' })
    world.pending.clear()
    world.now += 50 * hour
    await server.remove(root)
    expect(await other.sweep()).toHaveLength(1)
    expect((await server.stored(world.packs)).size).toBe(2)
  })

  test('stores a pack again that an earlier database condemned, and that a token has', async () => {
    const { world, server, mint } = await openOne()
    await server.save({ text: 'one' })
    world.pending.clear()
    world.now += 50 * hour
    await server.sweep()
    const root = await mint('one')
    world.now += 50 * hour
    await server.sweep()
    await server.open(root)
  })
})

test('a save shares no packs with a version of another creator', async () => {
  const { world, server, mint } = await openOne()
  const root = await mint('one')
  const other = account(wallets[2].address)
  const begun = await server.save({ text: 'two', previous: root, creator: other })
  expect(await server.packs(begun as Digest)).toHaveLength(1)
  expect(world.packs.size).toBe(2)
})
