import { parsePath } from '@heirloom/adapters/internal/json-path'
import { answerFromIndex } from '@heirloom/adapters/internal/recall'
import { Failure, type TokenId, tokenId } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { partDefaults } from '../../api/schemas/part-schemas.ts'
import type { Handlers } from '../operations/serve-operation.ts'
import { type Exchange, type PartDesk, readInside } from '../request/part-desk.ts'

/** The bytes of a document that one request searches. */
const searchedBytes = 8 * 2 ** 20

/** The bytes of a document that one request evaluates a path over, at once and in all. */
const evaluated = { stretchBytes: 2 ** 20, mostBytes: 4 * 2 ** 20 }

/** The bytes of the texts in one answer to a path. */
const selectedBytes = 2 ** 20

/** The places that the evaluation of a path takes: paths are evaluated one after another. */
const placesOfPath = 4

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
    limit: Number(limit ?? partDefaults.limit),
    after,
    room: selectedBytes,
    ...evaluated,
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

/** Returns the handlers of the reads inside a memory, through the parts for a request. */
export const partHandlers = (
  deskOf: (request: FastifyRequest) => PartDesk,
): Handlers<'outline' | 'part' | 'searchIn'> => ({
  outline: async (request, reply) => {
    const desk = deskOf(request)
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
  },
  part: async (request, reply) => {
    const desk = deskOf(request)
    const { pointer, path, ...page } = request.query
    const id = tokenId(request.params.tokenId)
    if (path !== undefined && pointer === undefined) {
      reply.type('application/json; charset=utf-8')
      return reply.send(await select(desk, { request, reply }, { id, path, ...page }))
    }
    if (pointer === undefined || path !== undefined || Object.keys(page).length > 0) throw notOne()
    const part = await readInside(desk, { request, reply }, ({ reservation, ...read }) =>
      desk.part({ ...read, tokenId: id, pointer, beforeReading: reservation.reserveBytes }),
    )
    reply
      .header('x-sealed-digest', part.digest)
      .header('x-verified-by', verifiedBy)
      .header('x-document-length', part.documentLength)
      .type('application/json; charset=utf-8')
    return reply.send(part.text)
  },
  searchIn: async (request, reply) => {
    const desk = deskOf(request)
    const { q: text, limit, ...place } = request.query
    const bounds = { limit: Number(limit ?? partDefaults.limit), mostBytes: searchedBytes }
    const id = tokenId(request.params.tokenId)
    const search = { tokenId: id, text, ...place, ...bounds, answer: answerFromIndex }
    const found = await readInside(desk, { request, reply }, ({ reservation, ...read }) =>
      desk.searchIn({ ...read, ...search, beforeReading: reservation.reserveBytes }),
    )
    return { ...found, matches: [...found.matches], verifiedBy }
  },
})
