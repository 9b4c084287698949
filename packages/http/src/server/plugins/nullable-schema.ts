type Schema = Readonly<Record<string, unknown>>

/**
 * Returns a schema with the same JSON, in which each union of a schema with null is that schema
 * marked as nullable. The serializer of Fastify compiles a validator for each member of a union,
 * and runs it on each value; a mark costs nothing.
 */
export function nullableSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(nullableSchema)
  if (!isObject(schema)) return schema
  const member = memberBesideNull(schema)
  if (member !== undefined) return { ...(nullableSchema(member) as Schema), nullable: true }
  return Object.fromEntries(Object.entries(schema).map(([key, it]) => [key, nullableSchema(it)]))
}

/** Returns the schema that a union joins with null; `undefined` if it is no such union. */
function memberBesideNull({ anyOf }: Schema): Schema | undefined {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined
  const [member, other] = anyOf as readonly Schema[]
  // Without a type of its own, a member may be a union again, which cannot be marked.
  return other?.type === 'null' && typeof member?.type === 'string' ? member : undefined
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null
