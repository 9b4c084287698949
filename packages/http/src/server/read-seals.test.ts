import { digest } from '@heirloom/core'
import { memoryBlobStore, memoryCipher } from '@heirloom/testkit'
import { expect, test } from 'vitest'
import { sealReader } from './open-catalogue.ts'

test('no two heads are inspected in one turn of the event loop, and a bad one stops none', async () => {
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  count()
  const turns: number[] = []
  const inspect = (bytes: Uint8Array) => {
    turns.push(turn)
    return memoryCipher().inspect(bytes)
  }
  const blobs = memoryBlobStore()
  const read = sealReader(blobs, { inspect })
  const junk = await Promise.all(
    Array.from({ length: 200 }, (_, at) => blobs.put(Buffer.from(`no head ${at}`))),
  )
  const missing = digest(`0x${'ab'.repeat(32)}`)
  const results = await Promise.allSettled([...junk, missing].map(read))
  isOver = true
  const codes = results.map((it) => (it.status === 'rejected' ? it.reason.code : undefined))
  expect(new Set(codes)).toEqual(new Set(['bundle/unreadable', 'blob/not-found']))
  expect(turns).toHaveLength(200)
  expect(new Set(turns).size).toBe(200)
})
