import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepAddresses } from './client-of.ts'

function addressesIn(header: string): string | undefined {
  const headers: { 'x-forwarded-for'?: string } = { 'x-forwarded-for': header }
  keepAddresses({ headers })
  return headers['x-forwarded-for']
}

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8::1, 203.0.113.9', '2001:db8::1, 203.0.113.9'],
  ['203.0.113.9:4711,[2001:db8::1]:4711', '203.0.113.9, 2001:db8::1'],
  ['1.1.1.1","level":60,"x":"', undefined],
  ['10.0.0.1, unknown, 203.0.113.9', '203.0.113.9'],
  ['', undefined],
])('of "%s" the addresses after the last other word are kept', (header, expected) => {
  expect(addressesIn(header)).toBe(expected)
})

test('whatever a client writes, nothing but addresses is left', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6())), (hops) => {
      const left = addressesIn(hops.join(','))
      for (const hop of left?.split(', ') ?? []) expect(isIP(hop)).not.toBe(0)
    }),
  )
})
