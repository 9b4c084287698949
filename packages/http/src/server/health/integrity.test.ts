import { type Digest, digest, isFailure, tokenId } from '@heirloom/core'
import { expect, test } from 'vitest'
import { integrityCheck } from './integrity.ts'

const digestOf = (id: bigint) => digest(`0x${id.toString(16).padStart(64, '0')}`)

/** Returns a check whose blob store waits for a gate. */
function gatedCheck() {
  const reads: Digest[] = []
  let gate = Promise.withResolvers<void>()
  const check = integrityCheck({
    provenance: async ({ tokenId: id }) =>
      ({ digest: digestOf(id) }) as Awaited<ReturnType<integrityCheck.Parts['provenance']>>,
    stored: {
      get: async (name) => {
        reads.push(name)
        await gate.promise
        return new Uint8Array(3)
      },
    },
    now: () => 0,
  })
  const openGate = () => gate.resolve()
  const closeGate = () => {
    gate = Promise.withResolvers()
  }
  return { reads, check: (id: number) => check(tokenId(BigInt(id))), openGate, closeGate }
}

const outcomeOf = (check: Promise<unknown>) =>
  check.then(
    () => 'checked',
    (error: unknown) => (isFailure(error) ? error.code : error),
  )

test('reads one blob at a time, queues a hundred, and refuses the next until some are checked', async () => {
  const { reads, check, openGate, closeGate } = gatedCheck()
  const waiting = Array.from({ length: 100 }, (_, at) => check(at + 1))
  const again = check(1)
  expect(await outcomeOf(check(101))).toBe('service/busy')
  expect(reads).toEqual([digestOf(1n)])
  openGate()
  const intact = { present: true, bytes: 3, matches: true }
  expect(await Promise.all([...waiting, again])).toEqual(Array.from({ length: 101 }, () => intact))
  closeGate()
  const later = check(102)
  openGate()
  expect(await later).toEqual(intact)
  expect(reads).toEqual([...waiting.map((_, at) => digestOf(BigInt(at + 1))), digestOf(102n)])
})
