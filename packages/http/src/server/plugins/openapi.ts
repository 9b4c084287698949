import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { failureCodes } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { flag } from '../../api/schemas/schema-parts.ts'
import { version } from '../../api/version.ts'
import { encodePageFile, type PageFile } from '../read-page.ts'
import { proofHeaders } from '../request/proof-headers.ts'
import { sendFile } from '../routes/send-page.ts'
import { nameComponents } from './name-components.ts'

const ProblemRecord = Type.Object(
  {
    type: Type.String({ examples: ['urn:heirloom:failure:token/not-found'] }),
    title: Type.String({ examples: ['Token not found'] }),
    status: Type.Integer({ examples: [404] }),
    detail: Type.String({ examples: ['Token 7 does not exist; check its number.'] }),
    code: Type.String({ enum: [...failureCodes], examples: ['token/not-found'] }),
    facts: Type.Object({}, { additionalProperties: true, examples: [{ tokenId: '7' }] }),
    retryable: flag('Whether the same request may succeed later.', false),
  },
  { $id: 'Problem', description: 'A refusal (RFC 9457).' },
)

const inHeader = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'header', name, description }) as const

const document: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Heirloom',
      version: version(),
      description: 'Agent memory you can own, prove, pass on and trade.',
      license: { name: 'MIT', identifier: 'MIT' } as never,
      contact: { name: 'The operator of this server' },
    },
    servers: [{ url: '/' }],
    // What requires no key and no proof; the others name theirs.
    security: [{}],
    tags: [
      { name: 'memory', description: 'Memories and what the chain records of them.' },
      { name: 'names', description: 'Private names of lines of versions.' },
      { name: 'marketplace', description: 'Listings, sales, rentals, forks and royalties.' },
      { name: 'events', description: 'Events, as they happen.' },
      { name: 'server', description: 'The server itself.' },
    ],
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Required on every POST under /api, on /api/names, on /api/webhooks, on /api/wallet and on /metrics when the server has API keys.',
        },
        walletAddress: inHeader(
          proofHeaders.account,
          "The caller's wallet, as an EIP-55 checksummed address.",
        ),
        walletSignature: inHeader(
          proofHeaders.signature,
          'EIP-191 signature of `service:access:<tokenId>:<address>:<timestamp>`, 65 bytes of hex; up to 8 KiB where a contract wallet signs (ERC-1271, ERC-6492).',
        ),
        walletTimestamp: inHeader(proofHeaders.timestamp, 'Unix time in seconds.'),
      },
    },
  },
  transformObject: (made) =>
    'openapiObject' in made
      ? nameComponents(withExamples(withOptionalBodies(made.openapiObject)))
      : {},
  refResolver: { buildLocalReference: ({ $id }, _base, _fragment, i) => `${$id ?? `schema-${i}`}` },
}

type OpenApi = Extract<
  Parameters<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>[0],
  { openapiObject: unknown }
>['openapiObject']

// The generator marks every body as required; a body without required members is optional.
function withOptionalBodies(document: OpenApi): OpenApi {
  for (const { post } of Object.values(document.paths ?? {}).map((path) => path ?? {})) {
    const { requestBody } = post ?? {}
    if (requestBody === undefined || '$ref' in requestBody) continue
    const { schema = {} } = requestBody.content['application/json'] ?? {}
    requestBody.required = !('properties' in schema) || 'required' in schema
  }
  return document
}

// Tools show one example of each body and answer.
function withExamples(document: OpenApi): OpenApi {
  const operations = Object.values(document.paths ?? {}).flatMap((path) =>
    Object.values(path ?? {}),
  )
  for (const { requestBody, responses = {} } of operations as readonly Operation[]) {
    const answers = Object.entries(responses).filter(([status]) => status < '300')
    for (const { content = {} } of [requestBody ?? {}, ...answers.map(([, it]) => it)]) {
      const { 'application/json': json } = content
      if (json?.schema !== undefined) json.example ??= exampleOf(json.schema)
    }
  }
  return document
}

type Content = {
  readonly content?: Record<string, { readonly schema?: object; example?: unknown }>
}
type Operation = {
  readonly requestBody?: Content
  readonly responses?: Readonly<Record<string, Content>>
}

/** Documents every route that is registered after it, at `/openapi.json`, which the page shows at `/docs`. */
export async function openapi(app: FastifyInstance): Promise<void> {
  app.addSchema(ProblemRecord)
  await app.register(swagger, document)
  // Encoded once: a text for each response would let readers who read nothing fill the memory.
  const encode = () =>
    encodePageFile('application/json; charset=utf-8', JSON.stringify(app.swagger()))
  let encoded: PageFile | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    encoded ??= inEveryCoding(encode())
    return sendFile(encoded, request, reply)
  })
}

/** Returns a file whose codings are all computed. */
const inEveryCoding = ({ type, etag, bodies: { identity, br, gzip } }: PageFile): PageFile => ({
  type,
  etag,
  bodies: { identity, br, gzip },
})

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
function exampleOf(schema: Schema): unknown {
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
