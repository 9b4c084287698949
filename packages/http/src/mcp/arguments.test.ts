import { type TSchema, Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryArguments } from '../../test/arbitrary-arguments.ts'
import { inDollars, TokenId, wei } from '../api/schemas/schema-parts.ts'
import { withoutUnits } from './amounts.ts'
import { checkedSchema, coerce } from './checked-schema.ts'
import { argumentsSchema } from './tools/tool-schemas.ts'
import { tools } from './tools/tools.ts'

const schema = argumentsSchema({
  tokenId: TokenId,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  price: Type.Optional(wei('Price')),
  dollars: Type.Optional(
    Type.Object({ price: inDollars('Price') }, { additionalProperties: false }),
  ),
  data: Type.Optional(Type.Object({})),
  flagged: Type.Optional(Type.Boolean()),
  offer: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['sale', 'rent'] })),
})

const check = async (args: unknown) => checkedSchema(schema)['~standard'].validate(args)

describe('arguments', () => {
  test('may be numbers or decimal texts, and null is absent', async () => {
    expect(await check({ tokenId: 7, limit: '5', price: null, flagged: 'true' })).toEqual({
      value: { tokenId: '7', limit: 5, flagged: true },
    })
  })

  test('are amounts with their unit, in the smallest unit afterwards', async () => {
    const args = { tokenId: '1', price: '0.01ether', dollars: { price: '0.5usd' } }
    expect(await check(args)).toEqual({
      value: { tokenId: '1', price: '10000000000000000', dollars: { price: '500000' } },
    })
  })

  test.each<[unknown, string | RegExp]>([
    [{ tokenId: '1', price: '5usd' }, 'must be whole wei, or a number with a unit'],
    [{ tokenId: '1', dollars: { price: '1ether' } }, 'must be whole millionths of a dollar'],
    [{ tokenId: '1', price: 1e18 }, 'price must be string'],
    [{ tokenId: -1 }, 'tokenId must be a decimal string'],
    [{ tokenId: '1', limit: '1e1' }, 'limit must be integer'],
    [{ price: '1' }, 'Pass tokenId: Id of the token'],
    [{ tokenId: '1', max: 1 }, 'Leave out max; the arguments are: tokenId, limit, price'],
    [{ tokenId: '1', tokenid: 1 }, /^tokenid is not known here, and looks like tokenId$/],
    [{ tokenId: '1', limits: 1, x: 1 }, /looks like limit\. Leave out x; the arguments are: /],
    [{ tokenId: '1', dollars: { prise: '1usd' } }, /dollars\/prise is not known here, .* price/],
    [{ tokenid: 7 }, /looks like tokenId\. Pass tokenId: Id of the token[^.]*$/],
    [{ tokenId: '1', offer: 'buy' }, 'offer must be one of sale, rent'],
    [{ tokenId: '1', flagged: 'yes' }, 'flagged must be boolean'],
    [null, 'must be object'],
  ])('%j are refused, with what to do', async (args, problem) => {
    const { issues } = await check(args)
    expect(issues?.[0]?.message).toMatch(problem)
  })

  test('are refused at the first error, in a short text', async () => {
    const unknown = Array.from({ length: 5000 }, (_, at) => [`${at}-${'x'.repeat(100)}`, at])
    const { issues } = await check({ ...Object.fromEntries(unknown), tokenId: 'x'.repeat(1e5) })
    expect(issues).toHaveLength(1)
    expect(issues?.[0]?.message.length).toBeLessThan(1100)
    expect(issues?.[0]?.message).toContain('the arguments are: tokenId, limit, price')
  })

  test('keep what the schema does not describe', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (data) => {
        const text = JSON.stringify({ tokenId: '1', data })
        expect(await check(JSON.parse(text))).toEqual({ value: JSON.parse(text) })
      }),
    )
  })
})

test('valid arguments of every tool stay as they are, and numbers for texts are the same', () => {
  for (const { input } of tools) {
    fc.assert(
      fc.property(arbitraryArguments(input), (args) => {
        const given = withoutUnits(input, args) as Record<string, unknown>
        expect(coerce(input, given)).toEqual(given)
        const isNumber = (value: unknown) =>
          typeof value === 'string' && /^[1-9][0-9]{0,14}$/.test(value)
        const asNumbers = Object.entries(given).map(([name, value]) => {
          const { type, enum: words } = { ...input.properties[name] } as TSchema
          return [name, type === 'string' && !words && isNumber(value) ? Number(value) : value]
        })
        expect(coerce(input, Object.fromEntries(asNumbers))).toEqual(given)
      }),
      { numRuns: 20 },
    )
  }
})

test('no argument of any tool is an object without properties', () => {
  const isEmpty = ({ type, properties = {} }: TSchema): boolean => {
    const members: TSchema[] = Object.values(properties)
    return type === 'object' && (members.length === 0 || members.some(isEmpty))
  }
  for (const { name, input } of tools) {
    expect(Object.values(input.properties).filter(isEmpty), name).toEqual([])
  }
})
