import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { failureCodes } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { version } from '../../api/version.ts'
import { proofHeaders } from '../request/proof-headers.ts'
import { docsRoutes } from './docs-routes.ts'

const ProblemRecord = Type.Object(
  {
    type: Type.String({ examples: ['urn:heirloom:failure:token/not-found'] }),
    title: Type.String({ examples: ['Token not found'] }),
    status: Type.Integer({ examples: [404] }),
    detail: Type.String({ examples: ['Token 7 does not exist; check its number.'] }),
    code: Type.String({ enum: [...failureCodes], examples: ['token/not-found'] }),
    facts: Type.Object({}, { additionalProperties: true, examples: [{ tokenId: '7' }] }),
    retryable: Type.Boolean({
      description: 'Whether the same request may succeed later.',
      examples: [false],
    }),
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
    },
    servers: [{ url: '/' }],
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
    'openapiObject' in made ? withOptionalBodies(made.openapiObject) : {},
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

/** Documents every route that is registered after it, at `/openapi.json` and `/docs`. */
export async function openapi(app: FastifyInstance): Promise<void> {
  app.addSchema(ProblemRecord)
  await app.register(swagger, document)
  docsRoutes(app)
  // Encoded once: a text for each response would let readers who read nothing fill the memory.
  let encoded: Buffer | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_, reply) => {
    encoded ??= Buffer.from(JSON.stringify(app.swagger()))
    return reply.type('application/json; charset=utf-8').send(encoded)
  })
}
