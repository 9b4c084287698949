import type { IncomingMessage } from 'node:http'
import { bulk, short } from '@heirloom/adapters/bulk'
import { isObject, type JsonMembers, type JsonText, readMembers } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyBytes, letGo } from './read-body.ts'
import { fingerprintOf, headingOf, keepFingerprint } from '../plugins/idempotency-keys.ts'

const kept = new WeakMap<object, JsonMembers>()

/** Returns the exact texts behind a body that `jsonBody` read. */
export function membersOf(body: object): JsonMembers {
  return kept.get(body) ?? new Map()
}

/** Frees a body that nothing will look at any more. */
export function forgetMembers(body: object): void {
  for (const text of membersOf(body).values()) letGo(text)
}

/**
 * Reads bodies of `application/json`, and nothing else, without changing a byte of them: what
 * schemas and routes see is a view, and `membersOf` gives the texts that arrived. Long bodies are
 * read in a thread, so that nobody waits for them.
 */
export function jsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { 'content-length': announced } = request.headers
      const bytes = await bodyBytes(payload, {
        limit: request.routeOptions.bodyLimit,
        announced: announced === undefined ? undefined : Number(announced),
        arrives: request.bodyArrives,
      })
      return bytes.length <= short ? readHere(request, bytes) : readBeside(request, bytes)
    },
  )
  // A call that needs no body may come without one; the others then miss their members.
  app.addHook('preValidation', (request, _, done) => {
    request.body ??= {}
    done()
  })
}

function readHere(request: FastifyRequest, bytes: Uint8Array): object | undefined {
  const heading = headingOf(request)
  if (heading !== undefined) keepFingerprint(request, fingerprintOf(heading, bytes))
  return bytes.length === 0 ? undefined : viewOf(readMembers(bytes))
}

async function readBeside(request: FastifyRequest, body: Uint8Array<ArrayBuffer>): Promise<object> {
  const heading = headingOf(request)
  const read = await bulk.ask({ kind: 'read', bytes: body, heading }, { moved: [body.buffer] })
  const { bytes = body, members = [], sum } = read ?? {}
  if (sum !== undefined) keepFingerprint(request, sum)
  const texts = members.map(([name, start, end]) => [name, bytes.subarray(start, end) as JsonText])
  return viewOf(new Map(texts as [string, JsonText][]))
}

function viewOf(members: JsonMembers): object {
  const view = Object.fromEntries([...members].map(([name, text]) => [name, shown(name, text)]))
  kept.set(view, members)
  return view
}

// Memories can be large: that `data` is an object is all that needs to be known of it here.
function shown(name: string, text: JsonText): unknown {
  if (name === 'data' && isObject(text)) return {}
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString())
}
