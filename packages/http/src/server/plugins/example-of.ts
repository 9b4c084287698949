/** A JSON schema, as far as an example follows from it. */
type Schema = {
  readonly examples?: readonly unknown[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly type?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly maxProperties?: number
}

/**
 * Returns a value of a schema: its first example, or one made of the examples of its members. Of an
 * object it has the required members, or all that fit if none is
 * required.
 */
export function exampleOf(schema: Schema): unknown {
  const [known = schema.const] = [...(schema.examples ?? []), ...(schema.enum ?? [])]
  if (known !== undefined) return known
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0])
  if (schema.type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items)]
  if (schema.type === 'boolean') return true
  const { properties = {}, required = Object.keys(properties), maxProperties } = schema
  const members = Object.entries(properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(
    members.slice(0, maxProperties).map(([name, member]) => [name, exampleOf(member)]),
  )
}
