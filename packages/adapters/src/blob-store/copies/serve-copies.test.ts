import { createHash, randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import fc from 'fast-check'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DurableBlockstore } from '../durable-blockstore.ts'
import { blockFiles, emptyFolder, remove } from '../test/folders.ts'
import { openCopyLog } from './copy-log.ts'
import { decodeRequest, encodeRequest, noProof, proofOf } from './copy-messages.ts'
import { roomForCopies } from './room-for-copies.ts'
import { answerCopyRequest, type CopyHolder } from './serve-copies.ts'

const day = 86_400_000

let folder: string
let holder: CopyHolder
let now: number
/** The bytes that the disk may still take of peers. */
let room: number
beforeEach(async () => {
  folder = await emptyFolder()
  now = 1_000_000
  const log = openCopyLog(folder, () => now)
  room = Number.POSITIVE_INFINITY
  const hasRoom = async (bytes: number) => bytes <= room
  holder = { blocks: await DurableBlockstore.open(folder), log, hasRoom }
  onTestFinished(async () => {
    log.close()
    await remove(folder)
  })
})

const block = randomBytes(100)
const name = createHash('sha256').update(block).digest()

const ask = (peer: string, request: Parameters<typeof encodeRequest>[0]) =>
  answerCopyRequest(holder, peer, encodeRequest(request))
const store = (peer: string) => ask(peer, { kind: 'store', block })
const takeBack = (peer: string) => ask(peer, { kind: 'take-back', digests: [name] })
const isHere = async () => (await blockFiles(folder)).length === 1

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
    await expect(ask('one', { kind: 'store', block: another })).rejects.toThrow('no room')
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
