import { createHash, randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import fc from 'fast-check'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DurableBlockstore } from '../durable-blockstore.ts'
import { blockFiles, emptyFolder, remove } from '../test/folders.ts'
import { roomForCopies } from './copy-exchange.ts'
import { openCopyLog } from './copy-log.ts'
import {
  countRefusals,
  decodeRequest,
  encodeRequest,
  isErasedBlock,
  noProof,
  noRoom,
  proofOf,
} from './copy-messages.ts'
import { answerCopyRequest, type CopyHolder } from './serve-copies.ts'

const day = 86_400_000

let folder: string
let holder: CopyHolder
let now: number
/** The bytes that each peer may store. */
let limit: number
/** The bytes that the disk may still take of peers. */
let room: number
/** The digests of erased blocks. */
const erased = new Set<string>()
beforeEach(() => {
  limit = Number.POSITIVE_INFINITY
  return startAnew()
})

async function startAnew() {
  const path = await emptyFolder()
  folder = path
  now = 1_000_000
  const log = openCopyLog(folder, () => now)
  room = Number.POSITIVE_INFINITY
  const hasRoom = async (bytes: number) => bytes <= room
  const blocks = await DurableBlockstore.open(folder)
  const refusals = countRefusals()
  holder = {
    blocks,
    log,
    hasRoom,
    refusals,
    isErased: (it) => erased.has(it),
    get limit() {
      return limit
    },
  }
  onTestFinished(async () => {
    log.close()
    await remove(path)
  })
}

const block = randomBytes(100)
const name = createHash('sha256').update(block).digest()

const ask = (peer: string, request: Parameters<typeof encodeRequest>[0]) =>
  answerCopyRequest(holder, peer, encodeRequest(request))
const store = (peer: string) => ask(peer, { kind: 'store', block })
const takeBack = (peer: string) => ask(peer, { kind: 'take-back', digests: [name] })
const isHere = async () => (await blockFiles(folder)).length === 1

describe('a copy of an erased memory', () => {
  test('is stored for nobody', async () => {
    erased.add(`0x${name.toString('hex')}`)
    onTestFinished(() => erased.clear())
    expect(isErasedBlock(await store('one'))).toBe(true)
    expect(await isHere()).toBe(false)
  })
})

describe('a copy', () => {
  test('is acknowledged by its digest, and taken back by the node that stored it', async () => {
    expect(name.equals(await store('one'))).toBe(true)
    expect(await isHere()).toBe(true)
    await takeBack('one')
    expect(await isHere()).toBe(false)
  })

  test('is not taken back by another node', async () => {
    await store('one')
    await takeBack('other')
    expect(await isHere()).toBe(true)
  })

  test('is not taken back once another node has stored it, too', async () => {
    await store('one')
    await store('other')
    for (const peer of ['one', 'other']) await takeBack(peer)
    expect(await isHere()).toBe(true)
  })

  test.each([
    [day, false],
    [day + 1, true],
  ])('that is %i ms old: %s, it stays', async (age, stays) => {
    await store('one')
    now += age
    await takeBack('one')
    expect(await isHere()).toBe(stays)
  })
})

describe('a disk that has no more room for copies', () => {
  test('takes none of a peer, and still proves and returns what it has', async () => {
    await store('one')
    room = block.length - 1
    const another = randomBytes(block.length)
    expect(noRoom).toEqual(await ask('one', { kind: 'store', block: another }))
    expect((await blockFiles(folder)).length).toBe(1)
    expect(name.equals(await store('one'))).toBe(true)
    await takeBack('one')
    expect(await isHere()).toBe(false)
  })

  test('is one of which a tenth is free', async () => {
    const { bavail, blocks, bsize } = statfsSync(folder)
    const left = bavail * bsize - (blocks * bsize) / 10
    const hasRoom = roomForCopies(folder)
    // Other programs write to the disk meanwhile.
    const play = 2 ** 30
    expect(await Promise.all([hasRoom(left - play), hasRoom(left + play)])).toEqual([true, false])
  })
})

const act = fc.record({
  peer: fc.constantFrom('one', 'two'),
  kind: fc.constantFrom('store', 'store', 'take-back'),
  length: fc.integer({ min: 1, max: 6 }),
})
type Act = { readonly peer: string; readonly kind: string; readonly length: number }
/** The peer that each block counts for, by the length of the block. */
type Owners = Map<number, string>

const blockOf = (length: number) => Buffer.alloc(length, length)
const digestOf = (length: number) => createHash('sha256').update(blockOf(length)).digest()
const bytesOf = (peer: string, owners: Owners) =>
  [...owners].reduce((sum, [length, owner]) => sum + (owner === peer ? length : 0), 0)

async function play({ peer, kind, length }: Act, owners: Owners): Promise<void> {
  if (kind === 'take-back') {
    await ask(peer, { kind, digests: [digestOf(length)] })
    if (!(await isStored(length))) owners.delete(length)
    return
  }
  const fits = owners.has(length) || bytesOf(peer, owners) + length <= limit
  const answer = await ask(peer, { kind: 'store', block: blockOf(length) })
  expect(Buffer.compare(answer, fits ? digestOf(length) : noRoom)).toBe(0)
  if (fits && !owners.has(length)) owners.set(length, peer)
}

const isStored = async (length: number) =>
  (await blockFiles(folder)).some((file) => file.includes(digestOf(length).toString('hex')))

describe('the bytes of a peer', () => {
  test('are those that it stored and did not take back, and never more than it may', async () => {
    limit = 10
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
        await startAnew()
        const owners = new Map<number, string>()
        for (const each of acts) {
          await play(each, owners)
          for (const peer of ['one', 'two'])
            expect(holder.log.bytes().get(peer) ?? 0).toBe(bytesOf(peer, owners))
        }
      }),
      { numRuns: 30 },
    )
  })

  test('are counted once when a put is repeated that had failed, and outlive a restart', async () => {
    const failing = async () => {
      throw new Error('The disk fails.')
    }
    const { blocks } = holder
    holder = {
      ...holder,
      blocks: {
        read: (cid) => blocks.read(cid),
        delete: (cid) => blocks.delete(cid),
        put: failing,
      },
    }
    for (const peer of ['one', 'two', 'one'])
      await expect(store(peer)).rejects.toThrow('The disk fails.')
    holder = { ...holder, blocks }
    await store('one')
    expect(new Map(holder.log.bytes())).toEqual(
      new Map([
        ['one', 100],
        ['two', 0],
      ]),
    )
    holder.log.close()
    holder = { ...holder, log: openCopyLog(folder), limit: 150 }
    onTestFinished(() => holder.log.close())
    expect(noRoom).toEqual(await ask('one', { kind: 'store', block: randomBytes(51) }))
    expect(await ask('one', { kind: 'store', block: randomBytes(50) })).toHaveLength(32)
  })
})

test('a proof needs the block, and that of a missing block is zeros', async () => {
  await store('one')
  const nonce = randomBytes(32)
  const answer = await ask('any', { kind: 'prove', nonce, digests: [name, randomBytes(32)] })
  expect(Buffer.concat([proofOf(nonce, block), noProof]).equals(answer)).toBe(true)
})

test('a request is read as it was written, and any other bytes are refused or are a request', () => {
  const digests = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 64 })
  fc.assert(
    fc.property(digests, fc.uint8Array(), ([nonce = noProof, ...rest], bytes) => {
      for (const request of [
        { kind: 'store', block: bytes },
        { kind: 'prove', nonce, digests: rest },
        { kind: 'take-back', digests: rest },
      ] as const) {
        const read = decodeRequest(encodeRequest(request))
        expect(read?.kind).toBe(request.kind)
        expect(read && encodeRequest(read)).toEqual(encodeRequest(request))
      }
      const found = decodeRequest(bytes)
      if (found !== undefined) expect(encodeRequest(found)).toEqual(Buffer.from(bytes))
    }),
  )
})

test('bytes that are no request are refused', async () => {
  for (const message of [Buffer.alloc(0), Buffer.of(9), Buffer.of(2), Buffer.of(3, 1)]) {
    await expect(answerCopyRequest(holder, 'one', message)).rejects.toThrow('not a request')
  }
})
