import fc, { type Arbitrary } from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/**
 * Any code point but a surrogate: the unit `binary` of fast-check with the same cases, without the
 * second that it takes to learn what it can shrink.
 */
export const arbitraryCodePoint: Arbitrary<string> = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map(textOf, numberOf)

function textOf(number: number): string {
  return String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count)
}

/** @throws when a value is no such code point, as fast-check requires of what reverts a mapping */
function numberOf(value: unknown): number {
  const point = typeof value === 'string' ? (value.codePointAt(0) ?? Number.NaN) : Number.NaN
  const number = point < surrogates.first ? point : point - surrogates.count
  if (!(number >= 0) || textOf(number) !== value) throw new TypeError('This is no code point.')
  return number
}
