import type { IncomingMessage } from 'node:http'
import { cryptoWorker, inlineLimit } from '@heirloom/adapters/internal/crypto-worker'
import { isObject, type JsonMembers, type JsonText, readMembers } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fingerprintHeading, fingerprintOf, setFingerprint } from '../plugins/idempotency-keys.ts'
import { readBody, releaseBuffer } from './read-body.ts'

const membersByBody = new WeakMap<object, JsonMembers>()

/** Returns the exact JSON texts of the members of a body that `jsonBody` read. */
export function membersOf(body: object): JsonMembers {
  return membersByBody.get(body) ?? new Map()
}

/** Frees the memory of a body that is not used any more. */
export function releaseMembers(body: object): void {
  for (const text of membersOf(body).values()) releaseBuffer(text)
}

/**
 * Parses bodies of `application/json`, and of no other type. Schemas and routes see a parsed view;
 * `membersOf` returns the exact bytes of each member. A worker parses long bodies, so that they do
 * not block the event loop.
 */
export function jsonBody(app: FastifyInstance): void {
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
      return bytes.length <= inlineLimit ? parseHere(request, bytes) : parseInWorker(request, bytes)
    },
  )
  // A request that needs no body may have none; the schemas of the others then report the missing members.
  app.addHook('preValidation', (request, _, done) => {
    request.body ??= {}
    done()
  })
}

function parseHere(request: FastifyRequest, bytes: Uint8Array): object | undefined {
  const heading = fingerprintHeading(request)
  if (heading !== undefined) setFingerprint(request, fingerprintOf(heading, bytes))
  return bytes.length === 0 ? undefined : viewOf(readMembers(bytes))
}

async function parseInWorker(
  request: FastifyRequest,
  body: Uint8Array<ArrayBuffer>,
): Promise<object> {
  const heading = fingerprintHeading(request)
  const read = await cryptoWorker.ask(
    { kind: 'read', bytes: body, heading },
    { moved: [body.buffer] },
  )
  const { bytes = body, members = [], sum } = read ?? {}
  if (sum !== undefined) setFingerprint(request, sum)
  const texts = members.map(([name, start, end]) => [name, bytes.subarray(start, end) as JsonText])
  return viewOf(new Map(texts as [string, JsonText][]))
}

function viewOf(members: JsonMembers): object {
  const view = Object.fromEntries(
    [...members].map(([name, text]) => [name, viewOfMember(name, text)]),
  )
  membersByBody.set(view, members)
  return view
}

// `data` can be large, and here it matters only that it is an object.
function viewOfMember(name: string, text: JsonText): unknown {
  if (name === 'data' && isObject(text)) return {}
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString())
}
