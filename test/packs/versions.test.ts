import { randomBytes } from 'node:crypto'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import type { Digest } from '@heirloom/core'
import { memoryBlobStorage } from '@heirloom/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { packServer, packWorld } from '../harness/packs/pack-server.ts'

const hour = 3_600_000

test('versions of a line share packs, and each opens when others failed or were erased', async () => {
  const world = packWorld()
  const jobs = await sqliteJobStore(':memory:')
  onTestFinished(jobs.close)
  const keys = sealingKeyRing([Buffer.alloc(32, 1)])
  const cipher = naclCipher({ keys, documentLimit: 2 ** 24 })
  const server = await packServer(world, memoryBlobStorage().storage, jobs, cipher)
  onTestFinished(server.close)
  const save = async (text: string, previous?: Digest) => {
    const root = await server.save({ text, previous })
    if (root === undefined) throw new Error('no root')
    world.pending.delete(root)
    return root
  }
  const document = randomBytes(300_000).toString('base64')
  const texts = [document, `${document} and a note`, `a title ${document} and two`]
  const [one, two, three] = texts as [string, string, string]

  const first = await save(one)
  world.minted.add(first)
  const failed = await save(three, first)
  await server.remove(failed)
  world.now += 30 * hour
  const second = await save(two, first)
  world.minted.add(second)
  const ofSecond = new Set(await server.packs(second))
  expect((await server.packs(first)).filter((it) => ofSecond.has(it))).not.toEqual([])

  const before = (await server.stored(world.packs)).size
  expect(await server.sweep()).toEqual([])
  expect((await server.stored(world.packs)).size).toBeLessThan(before)
  expect([await server.read(first), await server.read(second)]).toEqual([one, two])

  world.erased.add(first)
  await server.remove(first)
  world.now += 50 * hour
  expect(await server.sweep()).toEqual([])
  expect(await server.read(second)).toBe(two)
  const needed = (await server.packs(second)).toSorted()
  expect([...(await server.stored(world.packs))].toSorted()).toEqual(needed)
})
