import { expect, test } from 'vitest'
import { describeRecipient } from './address-field.tsx'

const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const own = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const registry = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const describe = (text: string) =>
  describeRecipient(text, { own, contracts: [registry, undefined] })

test('accepts an address with its checksum, or without one', () => {
  expect(describe(` ${other} `)).toEqual({ to: other })
  expect(describe(other.toLowerCase())).toEqual({ to: other })
})

test('accepts a name that the server knows, and says whose it is', () => {
  const place = { own, contracts: [registry], named: [{ name: 'Ben', address: other }] as const }
  expect(describeRecipient(' ben ', place)).toEqual({ to: other, note: `Ben is ${other}.` })
  expect(describeRecipient('bob', place)).toEqual({
    problem: 'Enter an address, 0x and 40 hexadecimal digits, or a name: Ben.',
  })
})

test('says nothing while nothing is typed', () => {
  expect(describe(' ')).toEqual({})
})

test.each([
  ['0x1234', '40 hexadecimal digits'],
  [other.replace('C5', 'c5'), 'its checksum is wrong'],
  [`0x${'0'.repeat(40)}`, 'zero address'],
  [own.toLowerCase(), 'yours already'],
  [registry, 'a contract of this market'],
])('refuses %s', (text, problem) => {
  expect(describe(text)).toEqual({ problem: expect.stringContaining(problem) })
})
