import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicApi } from '../../publish/public-api.ts'

const schemas = `
const hint = Symbol.for('TypeBox.Hint')
const optional = Symbol.for('TypeBox.Optional')
const address = { type: 'string', description: 'Address.', examples: ['0xab'], [hint]: 'Hex' }
const Card = { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } }
const kind = (name, fields) => ({
  type: 'object',
  description: 'It is ' + name + '.',
  properties: { owner: address, kind: { const: name }, ...fields },
})
export const Token = {
  type: 'object',
  properties: {
    owner: address,
    price: { type: 'string', description: 'Price, in wei.', examples: ['5'] },
    link: { enum: ['fork', "it's"], [optional]: 'Optional' },
    card: { anyOf: [Card, { type: 'null' }] },
  },
}
export const Event = { anyOf: [kind('mint', {}), kind('sale', { 'a-b': { type: 'integer' } })] }
`

const declarations = `
import type { Token as TokenSchema, Event as EventSchema } from './schemas.ts'
export type Token = ReadonlyStatic<typeof TokenSchema>
export type Card = NonNullable<Token['card']>
export type Tag = Card['tags'][number]
export type Event = ReadonlyStatic<typeof EventSchema>
export type Heard = Event | string
export type Query = Omit<InputOf<typeof TokenSchema>, 'owner' | 'card'> & { readonly more: Tag }
export type Price = Pick<ReadonlyStatic<typeof TokenSchema>, 'price'>
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'expand-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'schemas.js'), schemas)
  writeFileSync(join(folder, 'index.d.ts'), declarations)
  writeFileSync(join(folder, 'lost.d.ts'), 'export type Lost = ReadonlyStatic<typeof Nothing>')
})
afterAll(() => rmSync(folder, { recursive: true }))

const typeOf = (name: string) => {
  const [text = ''] = publicApi(join(folder, 'index.d.ts')).get(name)?.declarations ?? []
  return text.replaceAll(/\s+/g, ' ').replaceAll(`\`0x\${string}\``, 'Hex')
}

test('a type that is derived from a schema shows its fields, with comments', () => {
  expect(typeOf('Token')).toBe(
    "type Token = { /** Address. Example: '0xab' */ readonly owner: Hex /** Price, in wei. Example: '5' */ readonly price: string readonly link?: 'fork' | \"it's\" readonly card: Card | null }",
  )
  expect(typeOf('Price')).toBe(
    "type Price = { /** Price, in wei. Example: '5' */ readonly price: string }",
  )
})

test('a part of such a type is expanded too', () => {
  expect(typeOf('Card')).toBe('type Card = { readonly tags: readonly (Tag)[] }')
  expect(typeOf('Tag')).toBe('type Tag = string')
})

test('the fields that all objects of a union share are shown once', () => {
  expect(typeOf('Event')).toBe(
    "type Event = { /** Address. Example: '0xab' */ readonly owner: Hex } & ( | { /** It is mint. */ readonly kind: 'mint' } | { /** It is sale. */ readonly kind: 'sale' readonly 'a-b': number } )",
  )
})

test('other types keep their text, and the names of types', () => {
  expect(typeOf('Heard')).toBe('type Heard = Event | string')
})

test('an input accepts more types, and an explicit undefined', () => {
  expect(typeOf('Query')).toBe(
    "type Query = { /** Price, in wei. Example: '5' */ readonly price: AmountInput readonly link?: 'fork' | \"it's\" | undefined } & { readonly more: Tag }",
  )
})

test('a schema that is not imported is an error', () => {
  expect(() => publicApi(join(folder, 'lost.d.ts'))).toThrow('does not import Nothing')
})
