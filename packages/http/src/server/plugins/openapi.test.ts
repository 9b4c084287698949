import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openWebhooks } from '../../../test/open-webhooks.ts'
import { deployment, openHarness } from '../../../test/server-harness.ts'
import { statusOf } from '../../api/status-of.ts'
import { metrics } from '../../observability/metrics.ts'

const { webhooks, store } = await openWebhooks()
const { server } = openHarness({
  rpc: async () => ({ answer: undefined }),
  metrics: metrics(),
  webhooks,
  seals: { store },
})
const read = async (url: string) => server.inject({ url })

type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> }
  readonly responses: Record<string, { readonly description: string; readonly content?: object }>
}

const document = (await read('/openapi.json')).json()
const operations = Object.entries(
  document.paths as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** The POST routes that the agent does not pay for; others sign what they lead to. */
const others = [
  ...['/rpc', '/mcp', '/api/webhooks', '/api/memory/seal'],
  ...['/api/grants', '/api/grants/revoke', '/api/grants/{grant}/revoke'],
  '/api/memory/{tokenId}/ratings',
]
const isWrite = ({ path, method }: (typeof operations)[number]) =>
  method === 'post' && !others.includes(path)

describe('/openapi.json', () => {
  test('documents every route of the interface and of the server', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'delete /api/accepted-owners/{address}',
      'delete /api/names/{name}',
      'delete /api/webhooks/{id}',
      'get /api/accounts/{address}/earnings',
      'get /api/accounts/{address}/earnings/each',
      'get /api/activity',
      'get /api/deployment',
      'get /api/events',
      'get /api/granted/{grant}/memory/{tokenId}',
      'get /api/granted/{grant}/memory/{tokenId}/outline',
      'get /api/granted/{grant}/memory/{tokenId}/part',
      'get /api/granted/{grant}/memory/{tokenId}/search',
      'get /api/granted/{grant}/versions',
      'get /api/grants',
      'get /api/grants/received',
      'get /api/marketplace/facets',
      'get /api/marketplace/listings',
      'get /api/marketplace/listings/{tokenId}',
      'get /api/memory',
      'get /api/memory/{tokenId}',
      'get /api/memory/{tokenId}/excerpts',
      'get /api/memory/{tokenId}/history',
      'get /api/memory/{tokenId}/info',
      'get /api/memory/{tokenId}/integrity',
      'get /api/memory/{tokenId}/lineage',
      'get /api/memory/{tokenId}/openings',
      'get /api/memory/{tokenId}/outline',
      'get /api/memory/{tokenId}/own',
      'get /api/memory/{tokenId}/part',
      'get /api/memory/{tokenId}/ratings',
      'get /api/memory/{tokenId}/rentals',
      'get /api/memory/{tokenId}/search',
      'get /api/names',
      'get /api/names/{name}',
      'get /api/names/{name}/versions',
      'get /api/operator',
      'get /api/profiles',
      'get /api/ratings',
      'get /api/registries/{chainId}/{registry}/memory/{tokenId}',
      'get /api/registries/{chainId}/{registry}/memory/{tokenId}/info',
      'get /api/titles',
      'get /api/wallet',
      'get /api/webhooks',
      'get /livez',
      'get /metrics',
      'get /readyz',
      'patch /api/names/{name}',
      'post /api/granted/{grant}/memory/snapshot',
      'post /api/grants',
      'post /api/grants/revoke',
      'post /api/grants/{grant}/revoke',
      'post /api/marketplace/buy/{tokenId}',
      'post /api/marketplace/fork/{tokenId}',
      'post /api/marketplace/list',
      'post /api/marketplace/rent/{tokenId}',
      'post /api/marketplace/royalty/{tokenId}',
      'post /api/memory/seal',
      'post /api/memory/snapshot',
      'post /api/memory/{tokenId}/ratings',
      'post /api/webhooks',
      'post /mcp',
      'post /rpc',
      'put /api/accepted-owners/{address}',
      'put /api/accounts/{address}/profile',
    ])
  })

  test.each(operations)('describes $method $path with its answers', ({ path, operation }) => {
    expect(operation.summary).toMatch(/^[A-Z]/)
    expect(JSON.stringify(operation)).not.toContain('Default Response')
    const statuses = Object.keys(operation.responses)
    expect(statuses.filter((status) => status < '300').length).toBeGreaterThan(0)
    expect(statuses).toEqual(expect.arrayContaining(['400', '403', '500', '503']))
    if (path.includes('{tokenId}')) expect(statuses).toContain('404')
  })

  // The 429 of the chain has the form of JSON-RPC.
  const problemsOf = ({ operationId, responses }: (typeof operations)[number]['operation']) =>
    Object.entries(responses).filter(
      ([status]) => status >= '400' && `${operationId} ${status}` !== 'rpc 429',
    )

  test.each(operations)('names only the codes of each status of $method $path', ({ operation }) => {
    for (const [status, { description, content }] of problemsOf(operation)) {
      const codes = [...description.matchAll(/`([^`]+)`/g)].map(([, code]) => code)
      expect(codes.length).toBeGreaterThan(0)
      for (const code of codes) {
        expect(statusOf[code as keyof typeof statusOf].status).toBe(Number(status))
      }
      expect(content).toEqual({
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      })
    }
  })

  test('requires the wallet headers on the download, and a key on writes', () => {
    const security = (path: string, method: string) => document.paths[path][method].security
    expect(security('/api/memory/{tokenId}', 'get')).toEqual([
      { walletAddress: [], walletSignature: [], walletTimestamp: [] },
    ])
    for (const { operation } of operations.filter(isWrite))
      expect(operation.security).toEqual([{}, { apiKey: [] }])
    expect(security('/api/memory/seal', 'post')).toEqual([{}, { apiKey: [] }])
    for (const path of ['/api/wallet', '/api/webhooks', '/metrics'])
      expect(security(path, 'get')).toEqual([{}, { apiKey: [] }])
    expect(security('/api/webhooks', 'post')).toEqual([{}, { apiKey: [] }])
    expect(security('/api/webhooks/{id}', 'delete')).toEqual([{}, { apiKey: [] }])
    expect(Object.keys(document.components.securitySchemes)).toHaveLength(4)
  })

  test.each(operations.filter(isWrite))(
    'accepts an idempotency key with $method $path, and documents its failures',
    ({ operation: { parameters = [], responses } }) => {
      const header = { in: 'header', name: 'idempotency-key', required: false }
      expect(parameters).toContainEqual(expect.objectContaining(header))
      for (const [status, code] of [
        ['402', 'wallet/call-limit'],
        ['422', 'idempotency/key-reused'],
        ['429', 'wallet/day-limit'],
        ['503', 'transaction/cancelled'],
      ] as const) {
        expect(responses[status]?.description).toContain(`\`${code}\``)
      }
    },
  )

  test('accepts no idempotency key elsewhere', () => {
    const others = operations.filter((it) => !isWrite(it) && it.path !== '/api/memory/seal')
    expect(JSON.stringify(others)).not.toContain('idempotency-key')
  })

  test('needs no body to buy or to fork', () => {
    for (const verb of ['buy', 'fork']) {
      const { requestBody } = document.paths[`/api/marketplace/${verb}/{tokenId}`].post
      expect(requestBody.required).toBe(false)
    }
    expect(document.paths['/api/marketplace/list'].post.requestBody.required).toBe(true)
    expect(document.paths['/rpc'].post.requestBody.required).toBe(true)
  })

  test('has an example of every text and number', () => {
    const bare = [
      ...leaves(document.paths, 'paths'),
      ...leaves(document.components.schemas, 'schemas'),
    ].filter(([, it]) => !('examples' in it))
    expect(bare.map(([where]) => where)).toEqual([])
  })

  test('resolves every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(0)
    for (const [, path = ''] of references) {
      const found = path.split('/').reduce((node, name) => node?.[name], document)
      expect(found, path).toBeDefined()
    }
  })
})

function* leaves(node: unknown, where: string): Generator<[string, Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return
  const schema = node as Record<string, unknown>
  // A parameter has its example beside its schema, a constant is its own example, a header has a description.
  if ('example' in schema || 'enum' in schema || where.endsWith('.headers')) return
  if (['string', 'integer'].includes(`${schema.type}`)) yield [where, schema]
  for (const [name, child] of Object.entries(schema)) yield* leaves(child, `${where}.${name}`)
}

describe('the document', () => {
  test('is the same bytes for every reader', async () => {
    const { server: watched } = openHarness()
    const sent: unknown[] = []
    watched.addHook('onSend', async (_request, _reply, payload) => {
      sent.push(payload)
    })
    const url = '/openapi.json'
    const replies = [await watched.inject({ url }), await watched.inject({ url })]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(sent[0]).toBeInstanceOf(Buffer)
    expect(sent[1]).toBe(sent[0])
  })

  test('is sent in the coding that its reader takes, or not again to one that has it', async () => {
    const url = '/openapi.json'
    const { server: watched } = openHarness()
    const whole = await watched.inject({ url })
    const packed = { 'accept-encoding': 'gzip' }
    const reply = await watched.inject({ url, headers: packed })
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(reply.rawPayload).equals(whole.rawPayload)).toBe(true)
    const again = { 'if-none-match': `${reply.headers.etag}` }
    expect((await watched.inject({ url, headers: again })).statusCode).toBe(304)
  })

  test.each(['/', '/docs'])('is the target of %s where the page is not built', async (url) => {
    const reply = await read(url)
    expect([reply.statusCode, reply.headers.location]).toEqual([302, '/openapi.json'])
  })
})

test('no reply names the software of the server', async () => {
  const reply = await read('/api/deployment')
  expect(reply.json()).toEqual({
    ...deployment,
    earlierRegistries: [],
    dollar: null,
    chainName: null,
    rpcUrl: null,
    nativePrice: null,
    explorerUrl: null,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    proofs: ['eip191', 'eip4361'],
    origin: 'http://localhost',
    domain: 'localhost',
    openActs: ['snapshot', 'seal'],
    hasEns: false,
    hasFaucet: false,
  })
  expect(Object.keys(reply.headers).toSorted()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'date',
    'x-request-id',
  ])
})
