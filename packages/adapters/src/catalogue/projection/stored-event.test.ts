import { type EventFieldType, eventFields, eventKinds } from '@heirloom/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hexOf } from '../table.ts'
import { accountPlaces, decodeColumns, encodeColumns, type StoredEvent } from './stored-event.ts'

const hexes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((it) => hexOf(it))
const number = fc.maxSafeNat()
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String)
const orNone = <T>(it: fc.Arbitrary<T>) => fc.option(it, { nil: undefined })

const values: Readonly<Record<EventFieldType, fc.Arbitrary<unknown>>> = {
  account: hexes(20),
  'account?': orNone(hexes(20)),
  tokenId: number,
  'tokenId?': orNone(number),
  amount,
  dollars: amount,
  bps: number,
  'bps?': orNone(number),
  hash: hexes(32),
  digest: hexes(32),
  days: number,
  instant: number,
}

const event = fc.constantFrom(...eventKinds).chain((kind) => {
  const types: Readonly<Record<string, EventFieldType>> = eventFields[kind]
  const members = Object.entries(types).map(([name, type]) => [name, values[type]])
  const fields: fc.Arbitrary<object> = fc.record(Object.fromEntries(members))
  return fields.map((it) => Object.assign(it, { kind }) as StoredEvent)
})

test('an event is read as it was stored, with each account at one of the places', () => {
  fc.assert(
    fc.property(event, (event) => {
      const columns = encodeColumns(event)
      expect(decodeColumns(columns)).toEqual(event)
      const text = hexOf(columns.said).slice(2)
      const accounts = accountPlaces.map((at) => `0x${text.slice(2 * (at - 1), 2 * (at + 19))}`)
      const types: Readonly<Record<string, EventFieldType>> = eventFields[event.kind]
      for (const [name, value] of Object.entries(event)) {
        if (types[name]?.startsWith('account') && value) expect(accounts).toContain(value)
      }
    }),
  )
})
