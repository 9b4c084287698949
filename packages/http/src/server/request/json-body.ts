import type { IncomingMessage } from 'node:http'
import { type JsonObject, readJsonObject } from '@heirloom/adapters/internal/read-json-object'
import { Failure, isObject, type JsonMembers, type JsonText } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fingerprintHeading } from '../plugins/idempotency-keys.ts'
import { readBody } from './read-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The exact bytes and members of the body; absent without a body. */
    receivedBody: JsonObject | undefined
  }
}

/**
 * Parses bodies of `application/json`, and of no other type. Schemas and routes see a parsed view as
 * `body`; `receivedBody` has the exact bytes of each member.
 */
export function jsonBody(app: FastifyInstance): void {
  app.decorateRequest('receivedBody', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { 'content-length': announced } = request.headers
      const bytes = await readBody(payload, {
        limit: request.routeOptions.bodyLimit,
        announced: announced === undefined ? undefined : Number(announced),
        arrives: request.bodyArrives,
      })
      if (bytes.length === 0) return undefined
      request.receivedBody = await readJsonObject(bytes, fingerprintHeading(request))
      return viewOf(request.receivedBody.members)
    },
  )
  // A request that needs no body may have none; the schemas of the others then report the missing members.
  app.addHook('preValidation', (request, _, done) => {
    request.body ??= {}
    done()
  })
}

/** The most bytes of all members besides the data of a memory: they are parsed in the event loop. */
const mostParsed = 1_048_576

function viewOf(members: JsonMembers): object {
  let parsed = 0
  for (const [name, text] of members) if (name !== 'data') parsed += text.length
  if (parsed > mostParsed) {
    const problem = `has ${parsed} bytes besides data, and ${mostParsed} are the most`
    throw new Failure('request/malformed', { where: 'body', problem })
  }
  return Object.fromEntries([...members].map(([name, text]) => [name, viewOfMember(name, text)]))
}

// `data` can be large, and here it matters only that it is an object.
function viewOfMember(name: string, text: JsonText): unknown {
  if (name === 'data' && isObject(text)) return {}
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString())
}
