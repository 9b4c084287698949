import fc from 'fast-check'

/** A JSON value, with its numbers as they are spelled and its members in their order. */
export type Json =
  | { readonly kind: 'string'; readonly of: string }
  | { readonly kind: 'word'; readonly of: string }
  | { readonly kind: 'array'; readonly of: readonly Json[] }
  | { readonly kind: 'object'; readonly of: readonly (readonly [string, Json])[] }

const strings = ['', 'a', 'é', 'one\ntwo\nthree\n', 'one\n2\nthree\n', '\u{D800}', '\u{D801}', '😀']
const words = ['1', '1.0', '1e0', '-0', '0', '9007199254740993', '9007199254740992', 'true', 'null']
const names = ['id', 'a', 'b', 'c', '~1/', '', '7', 'é', '\u{D800}']

/** Generates JSON values from few parts, so that two of them have much in common. */
export const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...strings).map((of): Json => ({ kind: 'string', of })),
    fc.constantFrom(...words).map((of): Json => ({ kind: 'word', of })),
    fc.array(tie('json'), { maxLength: 6 }).map((of): Json => ({ kind: 'array', of })),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('json')), {
        maxLength: 5,
        selector: ([name]) => name,
      })
      .map((of): Json => ({ kind: 'object', of })),
  ),
}))

/** Prints a value: short, or with spaces and escapes wherever there may be some. */
export function printJson(value: Json, style: 'short' | 'long' = 'short'): string {
  const space = style === 'long' ? ' \n' : ''
  const print = (text: string) => (style === 'long' ? escaped(text) : JSON.stringify(text))
  if (value.kind === 'word') return value.of
  if (value.kind === 'string') return print(value.of)
  const inside =
    value.kind === 'array'
      ? value.of.map((it) => printJson(it, style))
      : value.of.map(([name, it]) => `${print(name)}${space}:${space}${printJson(it, style)}`)
  const [open, close] = value.kind === 'array' ? '[]' : '{}'
  return `${open}${space}${inside.join(`${space},${space}`)}${space}${close}`
}

const escaped = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`

/** Parses JSON, with each number as a text that no string of a document is. */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, ((_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' ? `number ${source}` : value) as (key: string) => unknown)

/** A document, and two that were changed from it. Each leaf is a text of its own. */
export type Edited = { readonly base: Json; readonly ours: Json; readonly theirs: Json }

/** Generates a document whose leaves all differ, and two edits of it. */
export const editedTwice: fc.Arbitrary<Edited> = fc
  .tuple(json, fc.infiniteStream(fc.nat()), fc.infiniteStream(fc.nat()))
  .map(([tree, ...streams]) => {
    let leaves = 0
    const leaf = (): Json => ({ kind: 'string', of: `leaf${leaves++}` })
    const base = withLeaves(tree, leaf)
    const [ours, theirs] = streams.map((stream) =>
      edit(base, { leaf, random: (below) => Number(stream.next().value) % below }),
    ) as [Json, Json]
    return { base, ours, theirs }
  })

function withLeaves(value: Json, leaf: () => Json): Json {
  if (value.kind === 'array') {
    return { kind: 'array', of: value.of.map((it) => withLeaves(it, leaf)) }
  }
  if (value.kind === 'object') {
    return { kind: 'object', of: value.of.map(([name, it]) => [name, withLeaves(it, leaf)]) }
  }
  return leaf()
}

type Editing = { readonly leaf: () => Json; readonly random: (below: number) => number }

/** Changes, removes, adds and moves some parts of a value. */
function edit(value: Json, editing: Editing): Json {
  const { leaf, random } = editing
  if (value.kind === 'array') {
    const items = value.of.flatMap((it) => editPart(it, editing, leaf))
    return { kind: 'array', of: addAndMove(items, editing, leaf) }
  }
  if (value.kind !== 'object') return random(4) === 0 ? leaf() : value
  const members = value.of
    .filter(() => random(6) > 0)
    .map(([name, it]) => [name, edit(it, editing)] as const)
  return {
    kind: 'object',
    of: addAndMove(members, editing, () => [`new${random(3)}`, leaf()] as const),
  }
}

/** Adds a part at the end of some rows, and moves the first part of some to the end. */
function addAndMove<T>(parts: readonly T[], { random }: Editing, create: () => T): readonly T[] {
  const more = random(4) === 0 ? [...parts, create()] : [...parts]
  return random(6) === 0 ? [...more.slice(1), ...more.slice(0, 1)] : more
}

function editPart(value: Json, editing: Editing, leaf: () => Json): readonly Json[] {
  const choice = editing.random(10)
  if (choice === 0) return []
  return choice === 1 ? [leaf(), value] : [edit(value, editing)]
}
