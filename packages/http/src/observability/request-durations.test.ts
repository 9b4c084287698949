import fc from 'fast-check'
import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { requestDurations } from './meters.ts'

const options = { name: 'took', help: 'How long', buckets: [0.001, 0.25, 1, 120] }

const labels = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  route: fc.constantFrom('/', '/api/memory/:tokenId', 'none'),
  status: fc.constantFrom(200, 404, 503),
})
const seconds = fc.oneof(
  fc.double({ min: 0, max: 200, noNaN: true }),
  fc.constantFrom(...options.buckets),
)

test('equals a histogram of prom-client, for any requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(labels, seconds)), async (requests) => {
      const [ours, theirs] = [new Registry(), new Registry()]
      const { metric, observe } = requestDurations(options)
      ours.registerMetric(metric)
      const labelNames = ['method', 'route', 'status'] as const
      const library = new Histogram({ ...options, labelNames, registers: [theirs] })
      for (const [named, took] of requests) {
        observe(named, took)
        library.observe(named, took)
      }
      expect(await ours.metrics()).toBe(await theirs.metrics())
    }),
  )
})
