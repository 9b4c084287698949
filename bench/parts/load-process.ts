import autocannon from 'autocannon'
import { answer } from './child.ts'
import type { Load, Measured, Sent } from './load.ts'

answer<Load>(async ({ url, connections, requests, seconds }): Promise<Measured> => {
  const shares = sharesOf(requests, connections)
  let next = 0
  const length = seconds === undefined ? { amount: requests.length } : { duration: seconds }
  const began = performance.now()
  const run = await autocannon({
    ...length,
    url,
    connections: shares.length,
    setupClient: (client) => client.setRequests(shares[next++ % shares.length] ?? []),
  })
  const took = (performance.now() - began) / 1000
  const failed = run.non2xx + run.errors + run.timeouts
  if (failed > 0) throw new Error(`${failed} of ${run.requests.total} requests failed.`)
  return { rate: run.requests.total / (seconds ?? took), p99: run.latency.p99 }
})

/** Deals requests out like cards, so that no two connections send the same one. */
function sharesOf(requests: readonly Sent[], connections: number): autocannon.Request[][] {
  const hands = Math.min(connections, requests.length)
  return Array.from({ length: hands }, (_, hand) =>
    requests.filter((_request, place) => place % hands === hand).map(asked),
  )
}

function asked({ method, path, headers, body }: Sent): autocannon.Request {
  return { method, path, ...(headers && { headers }), ...(body && { body: Buffer.from(body) }) }
}
