import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setValue } from './save-value.ts'

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1')
const name = fc.string({ unit: 'grapheme', maxLength: 8 })
const object = fc.dictionary(name, fc.jsonValue(), { noNullPrototype: true })

test('sets a member, and changes nothing else', () => {
  fc.assert(
    fc.property(object, name, fc.jsonValue(), (data, member, value) => {
      const text = JSON.stringify({ data, rest: 1 })
      const set = setValue(text, `/data/${escaped(member)}`, JSON.stringify(value))
      const expected = JSON.parse(text)
      Object.defineProperty(expected.data, member, {
        value: JSON.parse(JSON.stringify(value)),
        enumerable: true,
        writable: true,
        configurable: true,
      })
      expect(JSON.parse(set)).toEqual(expected)
    }),
  )
})

test('appends to a list, item by item', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (items) => {
      const text = items.reduce<string>(
        (text, item) => setValue(text, '/data/notes/-', JSON.stringify(item)),
        '{"data":{}}',
      )
      const notes = JSON.parse(JSON.stringify(items))
      expect(JSON.parse(text)).toEqual({ data: items.length === 0 ? {} : { notes } })
    }),
  )
})

test('keeps every other character: numbers, white space, escapes and names that are there twice', () => {
  const text = '{ "data": {"big": 12345678901234567890, "a": {"x":1,"x":2}, "n": [1.0 , 2] } }'
  expect(setValue(text, '/data/n/-', '3')).toBe(text.replace('2] }', '2,3] }'))
  expect(setValue(text, '/data/n/0', '"\\u00e9"')).toBe(text.replace('1.0', '"\\u00e9"'))
  expect(setValue(text, '/data/big', '0')).toBe(text.replace('12345678901234567890', '0'))
})

test.each([
  ['', 'the whole memory is saved with data'],
  ['data', 'a pointer begins with /'],
  ['/data/none/deep/-', 'there is no "none"; set it'],
  ['/data/n/5', 'the list has 1 items'],
  ['/data/text/x', 'it is no list, and no object'],
  ['/data/twice/x', 'it is no list, and no object'],
])('refuses %j, and says why', (pointer, problem) => {
  const text = '{"data":{"n":[1],"text":"x","twice":{"a":1,"a":2}}}'
  expect(() => setValue(text, pointer, '1')).toThrow(problem)
})

test('sets nothing beside data and metadata, and says where the value belongs', () => {
  for (const pointer of ['/notes/-', '/card', '/recipient', '/datas/x', '/salt']) {
    expect(() => setValue('{"data":{},"metadata":{}}', pointer, '1')).toThrow(
      `the place may be /data${pointer}`,
    )
  }
  expect(setValue('{"data":{},"metadata":{}}', '/metadata/x', '1')).toBe(
    '{"data":{},"metadata":{"x":1}}',
  )
})
