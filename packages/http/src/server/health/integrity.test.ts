import { type Digest, digest, isFailure, tokenId } from '@heirloom/core'
import { expect, test } from 'vitest'
import { integrityCheck } from './integrity.ts'

const digestOf = (id: bigint) => digest(`0x${id.toString(16).padStart(64, '0')}`)

/** Returns looks at tokens that each have bytes of their own, which are given one by one. */
function gated() {
  const asked: Digest[] = []
  let give = Promise.withResolvers<void>()
  const look = integrityCheck({
    provenance: async ({ tokenId: id }) =>
      ({ digest: digestOf(id) }) as Awaited<ReturnType<integrityCheck.Parts['provenance']>>,
    get: async (name) => {
      asked.push(name)
      await give.promise
      return new Uint8Array(3)
    },
    now: () => 0,
  })
  const openGate = () => give.resolve()
  const closeGate = () => {
    give = Promise.withResolvers()
  }
  return { asked, look: (id: number) => look(tokenId(BigInt(id))), openGate, closeGate }
}

const outcomeOf = (look: Promise<unknown>) =>
  look.then(
    () => 'seen',
    (error: unknown) => (isFailure(error) ? error.code : error),
  )

test('reads one memory at a time, lets a hundred wait, and refuses the next until some are seen', async () => {
  const { asked, look, openGate, closeGate } = gated()
  const waiting = Array.from({ length: 100 }, (_, at) => look(at + 1))
  const again = look(1)
  expect(await outcomeOf(look(101))).toBe('service/busy')
  expect(asked).toEqual([digestOf(1n)])
  openGate()
  const whole = { present: true, bytes: 3, matches: true }
  expect(await Promise.all([...waiting, again])).toEqual(Array.from({ length: 101 }, () => whole))
  closeGate()
  const later = look(102)
  openGate()
  expect(await later).toEqual(whole)
  expect(asked).toEqual([...waiting.map((_, at) => digestOf(BigInt(at + 1))), digestOf(102n)])
})
