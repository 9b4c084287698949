import type { KeyServiceEvent } from '@heirloom/adapters/signer'
import { Histogram, type Registry } from 'prom-client'

/** Adds the meter of a key service; returns the function that counts its answers. */
export function keyServiceMeters(registry: Registry): (event: KeyServiceEvent) => void {
  const answers = new Histogram({
    registers: [registry],
    name: 'heirloom_key_service_seconds',
    help: 'The time that the key service of AGENT_KEY_SERVICE took for an answer, by what it was asked for; a failure has its code as its result. Nothing where the key is on this machine',
    labelNames: ['operation', 'result'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 5],
  })
  return ({ operation, milliseconds, failure }) =>
    answers.observe({ operation, result: failure?.code ?? 'done' }, milliseconds / 1000)
}
