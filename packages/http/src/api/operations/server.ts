import { Type } from '@sinclair/typebox'
import { anyBody, anyRequest } from '../problem.ts'
import { querySchema, wordsParameter } from '../schemas/catalogue-queries.ts'
import { EventsHeaders, EventsParameters, eventExample } from '../schemas/event-schemas.ts'
import {
  OperatorRecord,
  WebhookBody,
  WebhookList,
  WebhookMade,
  WebhookParams,
} from '../schemas/operator-schemas.ts'
import { integer, text } from '../schemas/schema-parts.ts'
import { DeploymentRecord } from '../schemas/wallet-schemas.ts'
import { toolSets } from '../tool-sets.ts'
import { byKey, operation, read } from './operation.ts'

const tag = 'server'

const ok = Type.Literal('ok', { examples: ['ok'] })

const component = (description: string) => text(description, 'ok')

const Node = Type.Object(
  {
    place: integer('Its place in RPC_URL.', 1),
    state: Type.Union(
      (['up', 'unknown', 'silent', 'behind', 'other-chain', 'other-fork'] as const).map((state) =>
        Type.Literal(state),
      ),
      { description: '`unknown` until its first check.', examples: ['up'] },
    ),
    height: Type.Optional(integer('The newest block that it showed.', 23_000_000)),
    lag: Type.Optional(integer('The blocks that it lacks.', 0)),
  },
  { title: 'Node' },
)

const Ready = Type.Object(
  {
    status: ok,
    components: Type.Object({
      server: Type.Optional(component('The server itself, which says when it is about to stop.')),
      chain: component('The node, or the chain in this process.'),
      storage: component('The blobs.'),
      store: Type.Optional(component('The jobs.')),
      disk: Type.Optional(component('The disk of the data folder.')),
      catalogue: Type.Optional(component('The catalogue.')),
      keys: Type.Optional(component('The keys that the memories stored here are sealed under.')),
      memories: Type.Optional(
        component('The memories of the agent wallet, where only this server stores them.'),
      ),
      keyService: Type.Optional(component('The service that signs for the agent wallet.')),
      wallet: Type.Optional(
        component('The agent wallet, on a chain elsewhere: no other program writes with it.'),
      ),
    }),
    nodes: Type.Optional(
      Type.Array(Node, { description: 'The nodes of the chain, unless it is the embedded one.' }),
    ),
  },
  { description: 'Every part answers.' },
)

const rpcAnswer = { jsonrpc: '2.0', id: 1, result: '0x7a69' }

const mcpAnswer = {
  schema: Type.Unsafe<unknown>({
    description: 'The answer.',
    examples: [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }],
  }),
}

const eventText = Type.String({
  examples: [
    `id: ${eventExample}\nevent: transfer\ndata: {"id":"${eventExample}","kind":"transfer"}\n\n`,
  ],
})

const metricsText = Type.String({ examples: ['heirloom_jobs_total{end="settled"} 7'] })

const anyMessage = [
  ...anyRequest,
  'request/foreign-origin',
  'request/too-large',
  'request/wrong-type',
] as const

const refusedKey = ['api-key/out-of-scope', 'request/not-authorized'] as const

/** The operations that tell about the server. */
export const serverOperations = {
  deployment: read({
    tag,
    summary: 'Read which contracts this server works with, and its agent wallet',
    description:
      'Returns the chain, the contracts, the wallet that pays, the proofs that are accepted, and the acts that need no API key.',
    answers: { 200: DeploymentRecord },
    failures: anyRequest,
  }),
  events: read({
    tag: 'events',
    summary: 'Subscribe to events',
    description:
      'Server-sent events: each has an id, a kind, and as its data the event as in a history. An event `reorganised` with a `block` says that all events from that block on are undone; the events after it replace them.',
    query: EventsParameters,
    headers: EventsHeaders,
    answers: {
      200: {
        description: 'The stream, which lasts until the client or the server ends it.',
        content: { 'text/event-stream': { schema: eventText } },
      },
    },
    failures: [...anyRequest, 'catalogue/unavailable', 'service/busy', 'value/invalid'],
  }),
  // Its tools pass on the key of the request, so the routes they call apply their own scopes.
  mcp: read({
    tag,
    summary: 'Read with a client of the Model Context Protocol',
    description:
      'Streamable HTTP without sessions, for the revisions from 2024-11-05 to 2026-07-28. Offers the tools that read, and memories as resources; `wallet_info` requires an API key if the server has any.',
    query: Type.Object({
      tools: wordsParameter(
        toolSets,
        'Sets of tools, separated by commas: `small` for a small context, which is the default; `memory` and `market` for the exact tools of each; `all`.',
      ),
    }),
    body: Type.Unsafe<unknown>({
      description: 'A message of JSON-RPC 2.0.',
      examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
    }),
    answers: {
      200: {
        description: 'The answer, or a stream of server-sent events that ends with the answer.',
        content: { 'application/json': mcpAnswer, 'text/event-stream': mcpAnswer },
      },
      202: Type.Null({ description: 'The message needs no answer.' }),
    },
    failures: anyMessage,
  }),
  // A transaction that arrives there is signed by the wallet that pays for it.
  rpc: read({
    tag,
    summary: 'Call the embedded chain (JSON-RPC 2.0)',
    description:
      'The standard methods of an Ethereum node, without filters; transactions arrive signed, so no API key is required. It is on where only this machine reaches the server, or RPC_OPEN is true. Calls and transactions may use little gas (RPC_GAS), one request runs at a time, and each client has a share of the time of the chain and of the gas of a day.',
    body: Type.Unsafe<unknown>({
      description: 'One call, or a batch of up to 100.',
      examples: [{ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }],
    }),
    answers: {
      200: Type.Unsafe<unknown>({
        description: 'The answer, or the answers to a batch.',
        examples: [rpcAnswer],
      }),
      204: Type.Null({ description: 'The call needs no answer.' }),
      429: Type.Unsafe<unknown>({
        description:
          'Nothing was done, because the client has used its share: JSON-RPC errors with the code -32005. The header `retry-after` has the seconds to wait.',
        examples: [
          {
            jsonrpc: '2.0',
            id: 1,
            error: { code: -32005, message: 'This client has used its share; try again in 4 s.' },
          },
        ],
      }),
    },
    failures: anyMessage,
  }),
  livez: read({
    tag,
    summary: 'Check whether the process runs',
    description: 'Looks at no part of the server; `/readyz` does.',
    answers: { 200: Type.Object({ status: ok }, { description: 'The process runs.' }) },
    failures: anyRequest,
  }),
  readyz: read({
    tag,
    summary: 'Check whether every part of the server answers',
    description:
      'Replies 503 with the failure of the first part that is down, its name as `component`, and `components`: each part with `ok` or the code of its failure. Each part has a second for its answer; one that takes longer is down with `service/part-silent`. After a start the embedded chain is down until it has replayed its journal.',
    answers: { 200: Ready },
    failures: [
      ...anyRequest,
      'catalogue/behind',
      'ledger/unavailable',
      'keys/not-here',
      'memories/lost',
      'key-service/unavailable',
      'store/unavailable',
      'wallet/shared',
      'service/part-silent',
    ],
  }),
  metrics: operation({
    tag,
    summary: 'Read the metrics of the server, in the format of Prometheus',
    description:
      "Requires an API key if the server has any, because it shows the agent's balance and the traffic. Answers also while the chain is down.",
    scope: 'read',
    security: byKey,
    answers: {
      200: {
        description: 'Every metric, in the text format 0.0.4.',
        content: { 'text/plain': { schema: metricsText } },
      },
    },
    failures: [...anyRequest, ...refusedKey],
  }),
  operator: operation({
    tag,
    summary: 'Read the tenants and the last failures of the server',
    description:
      'Requires an API key with the scope admin if the server has any, and none of a tenant. The page shows it at /operate, with the wallet, the health, the metrics and the webhooks.',
    scope: 'admin',
    security: byKey,
    answers: { 200: OperatorRecord },
    failures: [...anyRequest, ...refusedKey, 'store/unavailable'],
  }),
}

const anyWebhookCall = [...anyRequest, ...refusedKey, 'webhook/unavailable'] as const

const keyed = { tag: 'events', scope: 'admin', security: byKey, query: querySchema({}) } as const

/** The operations on webhooks. */
export const webhookOperations = {
  addWebhook: operation({
    ...keyed,
    summary: 'Register a webhook',
    description:
      'Sends events in order, each again until the receiver accepts it, signed with the secret of the reply. Addresses in private networks are refused unless the server allows them.',
    body: WebhookBody,
    answers: { 201: WebhookMade },
    failures: [
      ...anyWebhookCall,
      ...anyBody,
      'catalogue/unavailable',
      'value/invalid',
      'webhook/too-many',
    ],
  }),
  webhooks: operation({
    ...keyed,
    summary: 'Read the webhooks and the state of their deliveries',
    description:
      'Returns each webhook with the event it got last, and the failed delivery that blocks it, if any.',
    answers: { 200: WebhookList },
    failures: anyWebhookCall,
  }),
  removeWebhook: operation({
    ...keyed,
    summary: 'Remove a webhook',
    description: 'Ends its deliveries; events that it has not got are not sent.',
    params: WebhookParams,
    answers: { 204: Type.Null({ description: 'The webhook gets no more events.' }) },
    failures: [...anyWebhookCall, 'request/foreign-origin', 'webhook/not-found'],
  }),
}
