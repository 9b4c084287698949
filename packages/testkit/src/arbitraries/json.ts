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

const space = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n', '  ')

/** Numbers that a parser to doubles would print differently, or lose. */
const oddNumbers = fc.constantFrom(
  '-0',
  '0.10',
  '1E400',
  '-1e-400',
  '1.0e+05',
  '9007199254740993',
  '18446744073709551615',
  '-9223372036854775808',
  '123456789012345678901234567890.5',
)

const numberText = fc.oneof(
  oddNumbers,
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((number) => (Object.is(number, -0) ? '-0.0' : String(number))),
)

/** Parts of strings; unpaired surrogates are legal only as escapes. */
const stringPart = fc.oneof(
  fc
    .string({ unit: arbitraryCodePoint, maxLength: 5 })
    .map((text) => JSON.stringify(text).slice(1, -1)),
  fc.constantFrom('\\ud800', '\\uDFFF', '\\u0041', '\\u0000', '\\/', '\\b\\f\\n\\r\\t', '\\"', 'é'),
  fc.constantFrom('日本', '𝒳', '🧠', '\u2028', '\u00a0', '\u007f'),
)

/** The exact text of a JSON string. */
export const arbitraryStringText: Arbitrary<string> = fc
  .array(stringPart, { maxLength: 4 })
  .map((parts) => `"${parts.join('')}"`)

const nameText = fc.oneof(
  fc.constantFrom('"__proto__"', '"constructor"', '"toString"', '""', '"a"', '"\\u0061"'),
  arbitraryStringText,
)

const { value, object } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    numberText,
    arbitraryStringText,
    tie('array'),
    tie('object'),
  ),
  array: fc
    .tuple(space, fc.array(fc.tuple(tie('value'), space), { maxLength: 4 }))
    .map(([lead, items]) => `[${lead}${items.map((item) => item.join('')).join(`,${lead}`)}]`),
  object: fc
    .tuple(space, fc.array(fc.tuple(nameText, space, tie('value'), space), { maxLength: 4 }))
    .map(([lead, members]) => `{${lead}${members.map(memberText).join(`,${lead}`)}}`),
}))

/** The exact text of any JSON value; an object may have duplicate names. */
export const arbitraryJsonText: Arbitrary<string> = value

/** The exact text of any JSON object; it may have duplicate names. */
export const arbitraryObjectText: Arbitrary<string> = object

/** A bundle as a request may contain it, and the document of it. */
export type BundleText = { readonly text: string; readonly document: string }

/** The exact text of some metadata: a category and any other members, before or after it. */
export const arbitraryMetadataText: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('trading', 'research', 'support', 'gaming', 'social', '日本', 'a/b'),
    fc.array(fc.tuple(nameText, space, value, space).map(memberText), { maxLength: 3 }),
    fc.nat({ max: 3 }),
  )
  .map(([category, others, at]) => {
    const members = others.toSpliced(at, 0, `"category": ${JSON.stringify(category)}`)
    return `{${members.join(', ')}}`
  })

/**
 * Any bundle with any white space, its two members in any order and with or without escapes in
 * their names.
 */
export const arbitraryBundleText: Arbitrary<BundleText> = fc
  .record({
    data: arbitraryObjectText,
    metadata: arbitraryMetadataText,
    names: fc.constantFrom(['"data"', '"metadata"'], ['"d\\u0061ta"', '"\\u006Detadata"']),
    dataFirst: fc.boolean(),
    spaces: fc.tuple(space, space, space),
  })
  .map(({ data, metadata, names, dataFirst, spaces: [lead, inner, trail] }) => {
    const dataMember = memberText([`${names[0]}`, inner, data, inner])
    const metadataMember = memberText([`${names[1]}`, trail, metadata, lead])
    const members = dataFirst ? [dataMember, metadataMember] : [metadataMember, dataMember]
    return {
      text: `${lead}{${inner}${members.join(`,${trail}`)}}${trail}`,
      document: `{"data":${data},"metadata":${metadata}}`,
    }
  })

/** JSON with a few bytes removed, inserted or replaced; mostly malformed. */
export const arbitraryMutatedJson: Arbitrary<Uint8Array> = fc
  .tuple(arbitraryJsonText, fc.array(mutation(), { minLength: 1, maxLength: 3 }))
  .map(([text, mutations]) => Uint8Array.from(mutations.reduce(mutate, [...Buffer.from(text)])))

/** Bytes that are not JSON. */
export const arbitraryMalformedJson: Arbitrary<Uint8Array> = arbitraryMutatedJson.filter(
  (bytes) => !isJson(bytes),
)

type Mutation = { readonly at: number; readonly remove: number; readonly insert: readonly number[] }

function mutation(): Arbitrary<Mutation> {
  const significant = fc.constantFrom(
    ...Buffer.from('{}[]",:\\u0e-+. tn'),
    0x00,
    0x80,
    0xc0,
    0xed,
    0xff,
  )
  return fc.record({
    at: fc.nat({ max: 1000 }),
    remove: fc.nat({ max: 2 }),
    insert: fc.array(fc.oneof(significant, fc.nat({ max: 255 })), { maxLength: 2 }),
  })
}

function mutate(bytes: readonly number[], { at, remove, insert }: Mutation): number[] {
  return bytes.toSpliced(at % (bytes.length + 1), remove, ...insert)
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    return true
  } catch {
    return false
  }
}

function memberText([name, before, text, after]: readonly [
  string,
  string,
  string,
  string,
]): string {
  return `${name}${before}:${before}${text}${after}`
}
