import * as catalogue from '../../api/schemas/catalogue-schemas.ts'
import * as event from '../../api/schemas/event-schemas.ts'
import * as excerpts from '../../api/schemas/excerpts-schemas.ts'
import * as grant from '../../api/schemas/grant-schemas.ts'
import * as market from '../../api/schemas/market-schemas.ts'
import * as memory from '../../api/schemas/memory-schemas.ts'
import * as name from '../../api/schemas/name-schemas.ts'
import * as operator from '../../api/schemas/operator-schemas.ts'
import * as part from '../../api/schemas/part-schemas.ts'
import * as rating from '../../api/schemas/rating-schemas.ts'
import * as relay from '../../api/schemas/relay-schemas.ts'
import * as wallet from '../../api/schemas/wallet-schemas.ts'
import * as x402 from '../../api/schemas/x402-schemas.ts'

const modules = [
  ...[catalogue, event, excerpts, grant, market, memory, name],
  ...[operator, part, rating, relay, wallet, x402],
]

/** Returns the object schemas of the API by the names that its description gives them. */
function componentSchemas(): ReadonlyMap<string, object> {
  const exported = modules.flatMap((module) => Object.entries<unknown>(module))
  const objects = exported.filter((entry): entry is [string, object] => isObjectSchema(entry[1]))
  return new Map(objects.map(([name, schema]) => [name.replace(/Record$/, ''), schema]))
}

const isObjectSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'properties' in value

type Json = Record<string, unknown>

/** An OpenAPI document with its schemas in place. */
type OpenApi = { readonly paths?: object; readonly components?: { readonly schemas?: object } }

/**
 * Moves each object schema of the API into the named components of a document, and refers to it from
 * where it was. A body or response without a name of its own is named after its operation.
 */
export function nameComponents<Document extends OpenApi>(document: Document): Document {
  const names = new Map([...componentSchemas()].map(([name, it]) => [textOf(it), name]))
  const schemas: Json = { ...document.components?.schemas }
  const move = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(move)
    if (!isObject(node)) return node
    const name = 'properties' in node ? names.get(textOf(node)) : undefined
    if (name === undefined) return moveMembers(node)
    schemas[name] ??= moveMembers(node)
    return { $ref: `#/components/schemas/${name}` }
  }
  const moveMembers = (node: Json): Json =>
    Object.fromEntries(Object.entries(node).map(([member, it]) => [member, move(it)]))
  for (const [name, schema] of unnamedSchemas(document, names)) names.set(textOf(schema), name)
  const paths = move(document.paths)
  return { ...document, paths, components: { ...document.components, schemas } }
}

type Operation = {
  readonly operationId: string
  readonly requestBody?: Content
  readonly responses?: Readonly<Record<string, Content>>
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }

/** Returns the object schemas of bodies and responses that have no name, with one. */
function unnamedSchemas(
  document: OpenApi,
  names: ReadonlyMap<string, string>,
): readonly (readonly [string, object])[] {
  const operations = Object.values(document.paths ?? {}).flatMap((path: object) =>
    Object.values<Operation>(path as Readonly<Record<string, Operation>>),
  )
  const inPlaces = operations.flatMap(({ operationId, requestBody, responses = {} }) => {
    const stem = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`
    const replies = Object.values(responses).map((it) => [`${stem}Response`, it] as const)
    return requestBody === undefined
      ? replies
      : [...replies, [`${stem}Request`, requestBody] as const]
  })
  return inPlaces.flatMap(([name, { content = {} }]) =>
    Object.values(content).flatMap(({ schema = {} }) =>
      'properties' in schema && !names.has(textOf(schema)) ? [[name, schema] as const] : [],
    ),
  )
}

const isObject = (node: unknown): node is Json => typeof node === 'object' && node !== null

/**
 * Returns the JSON of a schema, the same for every order of its members, and for a constant and the
 * list of one value that the generator makes of it.
 */
const textOf = (schema: object): string =>
  JSON.stringify(schema, (_, value: unknown) => {
    if (!isObject(value) || Array.isArray(value)) return value
    const { const: only, ...rest } = value
    const members = only === undefined ? rest : { ...rest, enum: [only] }
    return Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
