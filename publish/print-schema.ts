// The symbols of TypeBox, which it registers globally.
const hint: unique symbol = Symbol.for('TypeBox.Hint')
const optional: unique symbol = Symbol.for('TypeBox.Optional')

/** A schema of TypeBox, as far as it is printed. */
export type Schema = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly [hint]?: string
  readonly [optional]?: 'Optional'
}

/** The context of a printed type: the names of schemas, and whether clients send or receive it. */
export type Printing = {
  readonly names: ReadonlyMap<Schema, string>
  readonly isInput: boolean
}

/** Prints a schema as a TypeScript type, with a comment for each field. */
export function printSchema(schema: Schema, printing: Printing): string {
  const { anyOf, properties } = schema
  if (anyOf?.every((one) => one.properties)) return printObjects(anyOf, printing)
  if (properties !== undefined) return `{\n${printFields(properties, printing)}\n}`
  return printPlain(schema, printing)
}

const keywords: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'object',
}

function printPlain(schema: Schema, printing: Printing): string {
  const { anyOf, items, enum: words, type = '' } = schema
  if (anyOf) return anyOf.map((one) => printNested(one, printing)).join(' | ')
  if (words) return words.map(printLiteral).join(' | ')
  if ('const' in schema) return printLiteral(schema.const)
  if (items) return `readonly (${printNested(items, printing)})[]`
  if (schema[hint] === 'Hex') return `\`0x\${string}\``
  return keywords[type] ?? 'unknown'
}

function printNested(schema: Schema, printing: Printing): string {
  return printing.names.get(schema) ?? titleOf(schema, printing) ?? printSchema(schema, printing)
}

/** Returns the name of a type that a schema without fields names: one that contains itself. */
function titleOf({ title, properties }: Schema, { names }: Printing): string | undefined {
  if (title === undefined || properties !== undefined) return undefined
  return [...names.values()].find((name) => name === title)
}

/** Prints a union of objects, with the fields that they share only once. */
function printObjects(all: readonly Schema[], printing: Printing): string {
  const [first = {}, ...others] = all.map(({ properties }) => properties ?? {})
  const isShared = (name: string) => others.every((it) => it[name] === first[name])
  const [shared, own] = [isShared, (name: string) => !isShared(name)].map(
    (accepts) => (fields: Readonly<Record<string, Schema>>) =>
      printFields(
        Object.fromEntries(Object.entries(fields).filter(([name]) => accepts(name))),
        printing,
      ),
  )
  const members = all.map(
    ({ description, properties = {} }) => `| {\n/** ${description} */\n${own?.(properties)}\n}`,
  )
  return `{\n${shared?.(first)}\n} & (\n${members.join('\n')}\n)`
}

function printFields(fields: Readonly<Record<string, Schema>>, printing: Printing): string {
  return Object.entries(fields)
    .map(([name, schema]) => printField(name, schema, printing))
    .join('\n')
}

function printField(name: string, schema: Schema, printing: Printing): string {
  const isOptional = schema[optional] !== undefined
  const type = (printing.isInput && inputType(name)) || printNested(schema, printing)
  const suffix = isOptional && printing.isInput ? ' | undefined' : ''
  const key = /^\w+$/.test(name) ? name : `'${name}'`
  return `${commentOf(schema, type)}readonly ${key}${isOptional ? '?' : ''}: ${type}${suffix}`
}

/** Returns the type of a field that `InputOf` of the client widens, by the name of the field. */
function inputType(name: string): string | undefined {
  if (['tokenId', 'parent', 'parentTokenId', 'family', 'token'].includes(name))
    return 'TokenIdInput'
  if (/.*price.*|^amount$/i.test(name)) return 'AmountInput'
  return name === 'limit' ? 'number' : undefined
}

/** The longest line of a comment, in characters. */
const lineWidth = 92

/** Returns the comment of a field: its description and unit, and an example of its type. */
function commentOf(schema: Schema, type: string): string {
  const about = schema.description ?? schema.anyOf?.[0]?.description ?? schema.items?.description
  if (about === undefined) return ''
  const text = exampleOf(schema)
  const example = type === 'number' ? text?.replaceAll("'", '') : text
  const comment = example === undefined ? about : `${about} Example: ${example}`
  if (comment.length <= lineWidth) return `/** ${comment} */\n`
  const lines = [...wrap(about), ...(example === undefined ? [] : [`Example: ${example}`])]
  return `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`
}

function exampleOf({ examples, anyOf, items }: Schema): string | undefined {
  const [example] = examples ?? []
  if (example !== undefined) return printLiteral(example)
  const inner = anyOf?.[0] ?? items
  const text = inner?.properties ? undefined : inner && exampleOf(inner)
  return items && text !== undefined ? `[${text}]` : text
}

function printLiteral(value: unknown): string {
  const text = JSON.stringify(value)
  if (typeof value !== 'string' || value.includes("'")) return text
  return `'${text.slice(1, -1).replaceAll('\\"', '"')}'`
}

function wrap(text: string): readonly string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trim()
    if (line.length > lineWidth) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return lines
}
