import type { EventEmitter } from 'node:events'
import { constants, setPriority } from 'node:os'
import autocannon from 'autocannon'
import { serveRequests } from './child.ts'
import type { Load, LoadRequest, Measured } from './load.ts'

// On a virtual machine, waking a sleeping client can cost the server more than its response. This
// process stays awake, so that the transport costs the value and the yardstick the same. It has a
// low priority, so that it yields to the threads of the server, as a remote client would.
function stayAwake(): () => void {
  setPriority(constants.priority.PRIORITY_LOW)
  let turn = setImmediate(function again() {
    turn = setImmediate(again)
  })
  return () => clearImmediate(turn)
}

serveRequests<Load>(async ({ url, connections, requests, seconds, ...more }): Promise<Measured> => {
  const shares = sharesOf(requests, connections)
  let next = 0
  const length = seconds === undefined ? { amount: requests.length } : { duration: seconds }
  const rest = more.awake ? stayAwake() : () => undefined
  const options: autocannon.Options = {
    ...length,
    url,
    timeout: 120,
    connections: shares.length,
    setupClient: (client) => client.setRequests(shares[next++ % shares.length] ?? []),
  }
  const run = autocannon(options) as unknown as Run
  // The clock of autocannon has whole seconds.
  const clock = { began: 0, ended: 0 }
  run.once('start', () => {
    clock.began = performance.now()
  })
  // The histogram of autocannon has whole milliseconds, and a quiet server needs one or two.
  const times: number[] = []
  run.on('response', (_client, _status, _bytes, took: number) => {
    clock.ended = performance.now()
    times.push(took)
  })
  const { requests: responses, non2xx, errors, timeouts } = await run
  rest()
  const failed = (more.takesRefusals ? 0 : non2xx) + errors + timeouts
  if (failed > 0) throw new Error(`${failed} of ${responses.total} requests failed.`)
  return { rate: (1000 * responses.total) / (clock.ended - clock.began), p99: p99Of(times) }
})

/** Returns the 99th percentile of response times. */
function p99Of(times: readonly number[]): number {
  const sorted = Float64Array.from(times).sort()
  return sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0
}

/** The result of autocannon: a promise that also emits events. */
type Run = EventEmitter & PromiseLike<autocannon.Result>

/** Distributes requests, so that no two connections send the same one. */
function sharesOf(requests: readonly LoadRequest[], connections: number): autocannon.Request[][] {
  const count = Math.min(connections, requests.length)
  return Array.from({ length: count }, (_, connection) =>
    requests.filter((_request, index) => index % count === connection).map(toAutocannon),
  )
}

function toAutocannon({ method, path, headers, body }: LoadRequest): autocannon.Request {
  return { method, path, ...(headers && { headers }), ...(body && { body: Buffer.from(body) }) }
}
