import { describe, expect, onTestFinished, test } from 'vitest'
import {
  agent,
  mintToken,
  openHarness,
  other,
  proofOf,
  rentToken,
  type ServerHarness,
  secondsOf,
} from '../../packages/http/test/server-harness.ts'

const day = 86_400_000

function openServer(): ServerHarness {
  const harness = openHarness()
  onTestFinished(() => harness.server.close())
  return harness
}

type Headers = Awaited<ReturnType<typeof proofOf>>

/** Downloads with a proof; returns the code of the failure, or `opened`. */
async function download({ server }: ServerHarness, id: string, headers: Headers): Promise<string> {
  const reply = await server.inject({ url: `/api/memory/${id}`, headers })
  return reply.statusCode === 200 ? 'opened' : reply.json().code
}

describe('a rental', () => {
  test('opens until its last second, and not in the one in which it ends', async () => {
    const harness = openServer()
    const id = await rentToken(harness)
    harness.clock.advance(day - 1000)
    expect(await download(harness, id, await proofOf(other, id, secondsOf(harness)))).toBe('opened')
    harness.clock.advance(1000)
    const late = await proofOf(other, id, secondsOf(harness))
    expect(await download(harness, id, late)).toBe('access/denied')
  })

  test('that ends between the proof and the request opens nothing, however fresh the proof', async () => {
    const harness = openServer()
    const id = await rentToken(harness)
    harness.clock.advance(day - 60_000)
    const proof = await proofOf(other, id, secondsOf(harness))
    const ahead = await proofOf(other, id, secondsOf(harness) + 120)
    expect(await download(harness, id, proof)).toBe('opened')
    harness.clock.advance(60_000)
    for (const headers of [proof, ahead]) {
      expect(await download(harness, id, headers)).toBe('access/denied')
    }
    // The owner's right has no end, and the same proof text of the owner still opens.
    expect(await download(harness, id, await proofOf(agent, id, secondsOf(harness)))).toBe('opened')
  })
})

test('a proof dated as far ahead as it may be opens for twice the window, and no second longer', async () => {
  const harness = openServer()
  const id = await mintToken(harness)
  const proof = await proofOf(agent, id, secondsOf(harness) + 120)
  expect(await download(harness, id, proof)).toBe('opened')
  harness.clock.advance(240_000)
  expect(await download(harness, id, proof)).toBe('opened')
  harness.clock.advance(1000)
  expect(await download(harness, id, proof)).toBe('proof/stale')
  const further = await proofOf(agent, id, secondsOf(harness) + 121)
  expect(await download(harness, id, further)).toBe('proof/stale')
})
