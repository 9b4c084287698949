/** A JSON schema, as far as this page shows it. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** The parts of an OpenAPI 3.1 document that this page shows. */
export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

type RawOperation = {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, Content>> }
  readonly responses?: Readonly<Record<string, RawResponse>>
}

type Content = { readonly schema?: Schema; readonly example?: unknown }
type RawResponse = {
  readonly description?: string
  readonly content?: Readonly<Record<string, Content>>
}

/** A parameter of a request. */
export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

/** A route of the interface. */
export type Operation = Readonly<ReturnType<typeof toOperation>>

/** Lists the routes of a document, in its order. */
export function listOperations({ paths }: OpenApi): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => toOperation(path, method, raw)),
  )
}

function toOperation(path: string, method: string, raw: RawOperation) {
  const responses = Object.entries(raw.responses ?? {}).map(([status, it]) => ({
    status,
    description: it.description ?? '',
    example: it.content?.['application/json']?.example,
  }))
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? raw.operationId,
    description: raw.description ?? '',
    group: raw.tags?.[0] ?? groupOf(path),
    parameters: raw.parameters ?? [],
    body: raw.requestBody?.content?.['application/json'],
    responses,
    /** Whether it may need an access key. */
    takesKey: accepts(raw, 'apiKey'),
    /** Whether it needs a proof that a wallet signs for one token and one minute. */
    needsProof: accepts(raw, 'walletSignature') && !accepts(raw, 'apiKey'),
  }
}

/** Reports whether a way to be allowed a route contains a scheme of the document. */
const accepts = ({ security = [] }: RawOperation, scheme: string): boolean =>
  security.some((way) => scheme in way)

const groups: readonly (readonly [start: string, group: string])[] = [
  ['/api/memory', 'Memories'],
  ['/api/names', 'Names'],
  ['/api/marketplace', 'Market'],
  ['/api/webhooks', 'Events and webhooks'],
  ['/api/events', 'Events and webhooks'],
]

const groupOf = (path: string): string =>
  groups.find(([start]) => path.startsWith(start))?.[1] ?? 'Server'

/** Returns whether a route is about every word of a search. */
export function matchesSearch(
  { method, path, summary, description, id, parameters, responses }: Operation,
  search: string,
): boolean {
  const details = [...parameters.map((it) => `${it.name} ${it.description}`), ...responses]
    .map((it) => (typeof it === 'string' ? it : it.description))
    .join(' ')
  const text = `${method} ${path} ${summary} ${description} ${id} ${details}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** The values typed for a request. */
export type Typed = { readonly parameters: Readonly<Record<string, string>>; readonly body: string }

/** A request that can be sent to the server of this page. */
export type ApiRequest = Readonly<ReturnType<typeof buildRequest>>

/** Builds a request for a route from typed values; those that are empty are left out. */
export function buildRequest({ method, path, parameters, body }: Operation, typed: Typed) {
  const given = parameters.flatMap((it) => {
    const value = typed.parameters[it.name]?.trim() ?? ''
    return value === '' ? [] : [{ ...it, value }]
  })
  const filled = given
    .filter((it) => it.in === 'path')
    .reduce((url, { name, value }) => url.replace(`{${name}}`, encodeURIComponent(value)), path)
  const query = new URLSearchParams(
    given.filter((it) => it.in === 'query').map(({ name, value }) => [name, value]),
  ).toString()
  const hasBody = body !== undefined && typed.body.trim() !== ''
  const headers = given.filter((it) => it.in === 'header').map(({ name, value }) => [name, value])
  return {
    method,
    url: query === '' ? filled : `${filled}?${query}`,
    headers: {
      ...Object.fromEntries(headers),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    body: hasBody ? typed.body : undefined,
  }
}

/** Writes a request as a command for a shell; the access key stays a variable there. */
export function toCommand(
  { method, url, headers, body }: ApiRequest,
  { origin, takesKey }: { readonly origin: string; readonly takesKey: boolean },
): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(`${origin}${url}`)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(takesKey ? ['-H "authorization: Bearer $HEIRLOOM_API_KEY"'] : []),
    ...(body === undefined ? [] : [`-d ${quote(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

/** Describes the values of a schema in a few words. */
export function describeSchema(schema: Schema | undefined): string {
  if (schema === undefined) return ''
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(describeSchema))].join(' or ')
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  return describeValues(schema)
}

function describeValues({ type, items, enum: values, const: only }: Schema): string {
  if (only !== undefined) return JSON.stringify(only)
  if (values !== undefined) return values.map((it) => JSON.stringify(it)).join(' or ')
  return type === 'array' ? `list of ${describeSchema(items)}` : `${type ?? 'any'}`
}
