import { runForRequest } from '@heirloom/adapters/internal/request-trace'
import { describe, expect, test } from 'vitest'
import { mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

const requestOf = (at: number) => ({
  requestId: `request-${at}`,
  traceparent: `00-4bf92f3577b34da6a3ce929d0e0e47${at}0-00f067aa0ba902b7-01`,
})

/** Returns the requests of the jobs of all events of a kind. */
const requestsOf = (kind: 'signed' | 'settled' | 'refused') =>
  harness.fixture.events.flatMap((event) =>
    event.kind === kind
      ? event.jobs.map(({ requestId, traceparent }) => ({ requestId, traceparent }))
      : [],
  )

describe('a job', () => {
  test('keeps its request through its transaction, beside others in one batch', async () => {
    const ledger = await harness.fixture.open()
    const requests = [1, 2, 3, 4, 5].map(requestOf)
    const minted = await Promise.all(
      requests.map((request, at) => runForRequest(request, () => mint(ledger, at))),
    )
    const byRequest = (list: readonly { requestId?: string | undefined }[]) =>
      list.toSorted((one, other) => `${one.requestId}`.localeCompare(`${other.requestId}`))
    expect(byRequest(requestsOf('signed'))).toEqual(requests)
    expect(byRequest(requestsOf('settled'))).toEqual(requests)
    const settled = harness.fixture.events.filter((event) => event.kind === 'settled')
    for (const [at, { txHash }] of minted.entries()) {
      const carrier = settled.find((event) => event.txHash === txHash)
      expect(carrier?.jobs.map(({ requestId }) => requestId)).toContain(requestOf(at + 1).requestId)
    }
  })

  test('keeps it when another process ends what this one signed', async () => {
    await harness.chain.setAutomine(false)
    const first = await harness.fixture.open()
    const cut = runForRequest(requestOf(7), () => outcomeOf(mint(first, 'a')))
    await until(() => requestsOf('signed').length === 1)
    await first.close()
    expect(await cut).toBe('transaction/unconfirmed')
    await harness.chain.setAutomine(true)
    await harness.chain.mine({ blocks: 1 })
    const second = await harness.fixture.open()
    await runForRequest(requestOf(8), () => mint(second, 'b'))
    expect(requestsOf('settled')).toEqual([requestOf(7), requestOf(8)])
  })

  test('keeps it when it is refused, and has none outside of requests', async () => {
    const ledger = await harness.fixture.open({ limits: { perCall: 1n as never } })
    await runForRequest(requestOf(1), () => outcomeOf(mint(ledger, 'a')))
    await outcomeOf(mint(ledger, 'b'))
    const none = { requestId: undefined, traceparent: undefined }
    expect(requestsOf('refused')).toEqual([requestOf(1), none])
  })
})
