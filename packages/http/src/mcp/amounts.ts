import type { Currency } from '@heirloom/core'
import { Kind, type TProperties, type TSchema } from '@sinclair/typebox'
import { parseDollars, parseWei } from '../api/amount-notation.ts'
import { amountIn } from '../api/schemas/schema-parts.ts'

const number = (decimals: number) => `(0|[1-9][0-9]{0,58})(\\.[0-9]{1,${decimals}})?`

/** The notations of amounts, which a client checks before it calls: whole units, or with a unit. */
const patternOf: Readonly<Record<Currency, string>> = {
  native: `^((0|[1-9][0-9]{0,77})(wei)?|${number(9)}gwei|${number(18)}ether)$`,
  dollar: `^((0|[1-9][0-9]{0,77})|${number(6)}usd)$`,
}

const noteOf: Readonly<Record<Currency, string>> = {
  native: 'Or with a unit, as in 0.01ether.',
  dollar: 'Or in dollars, as in 5usd.',
}

/** The messages for amounts that have neither notation. */
export const amountMessages: Readonly<Record<string, string>> = {
  [patternOf.native]: 'must be whole wei, or a number with a unit as in 0.01ether',
  [patternOf.dollar]: 'must be whole millionths of a dollar, or dollars as in 5usd',
}

type Schema = TSchema & { readonly [amountIn]?: Currency; readonly properties?: TProperties }

/** Returns properties whose amounts may have a unit. */
export const withUnits = <Properties extends TProperties>(properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, withUnit(schema)]),
  ) as Properties

function withUnit(schema: Schema): TSchema {
  const currency = schema[amountIn]
  if (currency !== undefined) {
    const description = `${schema.description} ${noteOf[currency]}`
    return { ...schema, pattern: patternOf[currency], description }
  }
  const { properties } = schema
  if (schema[Kind] !== 'Object' || properties === undefined) return schema
  return { ...schema, properties: withUnits(properties) }
}

/** Replaces the amounts of arguments by those in the smallest unit of their currency. */
export function withoutUnits(schema: Schema, value: unknown): unknown {
  const currency = schema[amountIn]
  if (typeof value === 'string' && currency !== undefined) return inSmallestUnit(currency, value)
  const { properties } = schema
  if (properties === undefined || typeof value !== 'object' || value === null) return value
  const converted = Object.entries(value).map(([name, member]) => {
    const of = Object.hasOwn(properties, name) ? properties[name] : undefined
    return [name, of === undefined ? member : withoutUnits(of, member)]
  })
  return Object.fromEntries(converted)
}

function inSmallestUnit(currency: Currency, text: string): string {
  const parse = currency === 'native' ? parseWei : parseDollars
  return `${parse(text) ?? text}`
}
