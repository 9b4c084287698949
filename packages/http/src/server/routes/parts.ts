import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { parsePath } from '@heirloom/adapters/internal/json-path'
import { Failure, type FailureCode, type TokenId, tokenId } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import {
  FoundRecord,
  MemorySearchParameters,
  OutlineParameters,
  OutlineRecord,
  PartParameters,
  partDefaults,
  SelectedRecord,
} from '../../api/part-schemas.ts'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'
import { type Exchange, type PartDesk, readInside } from '../request/part-desk.ts'
import { downloadFailures } from './download.ts'

/** The bytes of a document that one request searches. */
const searchedBytes = 8 * 2 ** 20

/** The bytes of a document that one request evaluates a path over, at once and in all. */
const evaluated = { stretchBytes: 2 ** 20, mostBytes: 4 * 2 ** 20 }

/** The bytes of the texts in one answer to a path. */
const selectedBytes = 2 ** 20

/** The places that the evaluation of a path takes: paths are evaluated one after another. */
const placesOfPath = 4

const common = {
  tags: ['memory'],
  security: [{ walletAddress: [], walletSignature: [], walletTimestamp: [] }],
  params: TokenParams,
}

const sameProof =
  'The proof is that of a download of this token; opens only the pieces of a long memory that it needs.'

const problems = (more: readonly FailureCode[]) =>
  problemResponses([...anyRead, ...downloadFailures, 'part/malformed', ...more])

const outlineSchema = {
  ...common,
  operationId: 'outline',
  summary: 'Describe what is in a memory: types, sizes and counts, without the values',
  description: `Goes on level by level. ${sameProof}`,
  querystring: OutlineParameters,
  response: { 200: OutlineRecord, ...problems(['part/not-found']) },
}

const anyValue = {
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  items: {},
  description: 'The value at the pointer.',
}

const partSchema = {
  ...common,
  operationId: 'part',
  summary: 'Read one value of a memory as its exact text, or those that a path selects',
  description: `With \`pointer\` the body is the text of the value, byte for byte as it was sealed. With \`path\` it is an object with the \`matches\`, each with its text, and \`next\`; no match is no failure. ${sameProof}`,
  querystring: PartParameters,
  response: {
    200: {
      description: 'The exact text of the value, or the matches of a path.',
      headers: {
        'x-sealed-digest': { type: 'string', description: 'Digest of the sealed bundle.' },
        'x-verified-by': {
          type: 'string',
          description: '`digest`: a part is authentic by it, and not by the content hash.',
        },
        'x-document-length': { type: 'string', description: 'Bytes of the whole document.' },
      },
      content: {
        'application/json': {
          schema: Type.Unsafe<Uint8Array>({ anyOf: [SelectedRecord, anyValue] }),
        },
      },
    },
    ...problems(['part/not-found', 'part/too-costly']),
  },
}

const searchSchema = {
  ...common,
  operationId: 'searchIn',
  summary: 'Find a text inside a memory',
  description: `Searches the names of members and the string values, whatever their case. ${sameProof}`,
  querystring: MemorySearchParameters,
  response: { 200: FoundRecord, ...problems([]) },
}

const verifiedBy = 'digest' as const

type Selection = {
  readonly id: TokenId
  readonly path: string
  readonly limit?: string
  readonly after?: string
}

/** Returns the matches of a path as JSON. */
async function select(desk: PartDesk, exchange: Exchange, selection: Selection) {
  const { id, path, limit, after } = selection
  const query = parsePath(path)
  const bounds = {
    ...{ limit: Number(limit ?? partDefaults.limit), after },
    ...{ room: selectedBytes, ...evaluated },
  }
  const selected = await readInside(
    desk,
    exchange,
    ({ reservation: { reserveBytes: beforeReading }, ...read }) =>
      desk.selectIn({ ...read, ...bounds, tokenId: id, query, beforeReading }),
    placesOfPath,
  )
  return Buffer.from(JSON.stringify({ ...selected, verifiedBy }))
}

function notOne(): Failure {
  const problem = 'must have either pointer, or path with limit and after'
  return new Failure('request/malformed', { where: 'querystring', problem })
}

/** `GET /api/memory/:tokenId/outline`, `…/part` and `…/search` */
export const partRoutes =
  (desk: PartDesk): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId/outline', { schema: outlineSchema }, async (request, reply) => {
      const { pointer = '', depth, width, from = '0' } = request.query
      const bounds = {
        depth: Number(depth ?? partDefaults.depth),
        width: Number(width ?? partDefaults.width),
        from: Number(from),
      }
      const id = tokenId(request.params.tokenId)
      const { outline, ...source } = await readInside(desk, { request, reply }, (read) =>
        desk.outline({ ...read, tokenId: id, pointer, ...bounds }),
      )
      return { ...source, verifiedBy, ...outline }
    })

    app.get('/api/memory/:tokenId/part', { schema: partSchema }, async (request, reply) => {
      const { pointer, path, ...page } = request.query
      const id = tokenId(request.params.tokenId)
      if (path !== undefined && pointer === undefined) {
        reply.type('application/json; charset=utf-8')
        return reply.send(await select(desk, { request, reply }, { id, path, ...page }))
      }
      if (pointer === undefined || path !== undefined || Object.keys(page).length > 0)
        throw notOne()
      const part = await readInside(desk, { request, reply }, ({ reservation, ...read }) =>
        desk.part({ ...read, tokenId: id, pointer, beforeReading: reservation.reserveBytes }),
      )
      reply
        .header('x-sealed-digest', part.digest)
        .header('x-verified-by', verifiedBy)
        .header('x-document-length', part.documentLength)
        .type('application/json; charset=utf-8')
      return reply.send(part.text)
    })

    app.get('/api/memory/:tokenId/search', { schema: searchSchema }, async (request, reply) => {
      const { q: text, limit, ...place } = request.query
      const bounds = { limit: Number(limit ?? partDefaults.limit), mostBytes: searchedBytes }
      const id = tokenId(request.params.tokenId)
      const found = await readInside(desk, { request, reply }, (read) =>
        desk.searchIn({ ...read, tokenId: id, text, ...place, ...bounds }),
      )
      return { ...found, matches: [...found.matches], verifiedBy }
    })
  }
