import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from './receiver-url.ts'

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '99.255.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:82a::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

/** The first and the last address of each range that is not public. */
const reserved = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
] as const

const numberOf = (text: string) =>
  text.split('.').reduce((all, part) => all * 256 + Number(part), 0)
const bytesOf = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255)

/** Any address of a reserved range. */
const reservedAddress = fc
  .constantFrom(...reserved)
  .chain(([first, last]) => fc.integer({ min: numberOf(first), max: numberOf(last) }))

test('no address of a reserved range is public, in any IPv6 address that embeds it', () => {
  fc.assert(
    fc.property(reservedAddress, (number) => {
      const bytes = bytesOf(number)
      const dotted = bytes.join('.')
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
      const [high, low] = [hex.slice(0, 4), hex.slice(4)]
      const notations = [
        dotted,
        `::ffff:${dotted}`,
        `::ffff:${high}:${low}`,
        `0:0:0:0:0:FFFF:${high.toUpperCase()}:${low}`,
        `64:ff9b::${dotted}`,
        `64:ff9b::${high}:${low}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `::ffff:0:${dotted}`,
        `::${high}:${low}`,
      ]
      expect(notations.filter(isPublicAddress)).toEqual([])
    }),
  )
})

test.each([
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456:789a::1',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2001:2::1',
  '2001:10::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  '64:ff9b:1::808:808',
  'localhost',
  '',
  '1.2.3',
  '1.2.3.4.5',
  ' 8.8.8.8',
  '[::1]',
])('%j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})
