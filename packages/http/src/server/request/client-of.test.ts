import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientOf, networkOf } from './client-of.ts'

describe('the network of an address', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'not an address'],
    [undefined, 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  test('depends on the first 64 bits of an IPv6 address alone', () => {
    const groups = fc.array(fc.integer({ min: 1, max: 65_535 }), { minLength: 4, maxLength: 4 })
    const text = (all: readonly number[]) => all.map((it) => it.toString(16)).join(':')
    fc.assert(
      fc.property(groups, groups, groups, (first, one, other) => {
        const network = networkOf(`${text(first)}:${text(one)}`)
        expect(networkOf(`${text(first)}:${text(other)}`)).toBe(network)
        const same = text(first) === text(other)
        expect(networkOf(`${text(other)}:${text(one)}`) === network).toBe(same)
      }),
    )
  })
})

test('a client with an API key is named after the key, whatever its address', () => {
  const caller = { name: 'shop', scope: 'write' } as const
  expect(clientOf({ caller, ip: '203.0.113.9' })).toBe('key shop')
  expect(clientOf({ caller: undefined, ip: '203.0.113.9' })).toBe('203.0.113.9')
})
