import type { EventEmitter } from 'node:events'
import { constants, setPriority } from 'node:os'
import autocannon from 'autocannon'
import { answer } from './child.ts'
import type { Load, Measured, Sent } from './load.ts'

// On a virtual machine, waking a process that sleeps costs whoever answers it more than the answer.
// This one stays awake, so that the yardstick and what is measured pay the same for the wire. Where
// it has nothing to do it gives way to the threads of the server, as a client elsewhere would.
function stayAwake(): () => void {
  setPriority(constants.priority.PRIORITY_LOW)
  let turn = setImmediate(function again() {
    turn = setImmediate(again)
  })
  return () => clearImmediate(turn)
}

answer<Load>(async ({ url, connections, requests, seconds, ...more }): Promise<Measured> => {
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
  // Its own clock goes by whole seconds.
  const clock = { began: 0, ended: 0 }
  run.once('start', () => {
    clock.began = performance.now()
  })
  // And its own histogram by whole milliseconds, of which a quiet server needs one or two.
  const times: number[] = []
  run.on('response', (_client, _status, _bytes, took: number) => {
    clock.ended = performance.now()
    times.push(took)
  })
  const { requests: answered, non2xx, errors, timeouts } = await run
  rest()
  const failed = (more.takesRefusals ? 0 : non2xx) + errors + timeouts
  if (failed > 0) throw new Error(`${failed} of ${answered.total} requests failed.`)
  return { rate: (1000 * answered.total) / (clock.ended - clock.began), p99: p99Of(times) }
})

/** Returns the time that 99 of 100 did not exceed. */
function p99Of(times: readonly number[]): number {
  const sorted = Float64Array.from(times).sort()
  return sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0
}

/** What autocannon returns: a promise that also tells what happens meanwhile. */
type Run = EventEmitter & PromiseLike<autocannon.Result>

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
