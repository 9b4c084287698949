import { isObject, type JsonMembers, type JsonText, parseJson, readMembers } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'
import { noteBody } from './idempotency-key.ts'

const kept = new WeakMap<object, JsonMembers>()

/** Returns the exact texts behind a body that `jsonBody` read. */
export function membersOf(body: object): JsonMembers {
  return kept.get(body) ?? new Map()
}

/**
 * Reads bodies of `application/json`, and nothing else, without changing a byte of them: what
 * schemas and routes see is a view, and `membersOf` gives the texts that arrived.
 */
export function jsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    noteBody(request, bytes as Buffer)
    done(null, bytes.length === 0 ? undefined : viewOf(readMembers(bytes as Buffer)))
  })
  // A call that needs no body may come without one; the others then miss their members.
  app.addHook('preValidation', async (request) => {
    request.body ??= {}
  })
}

function viewOf(members: JsonMembers): object {
  const view = Object.fromEntries([...members].map(([name, text]) => [name, shown(name, text)]))
  kept.set(view, members)
  return view
}

// Memories can be large: that `data` is an object is all that needs to be known of it here.
function shown(name: string, text: JsonText): unknown {
  return name === 'data' && isObject(text) ? {} : parseJson(text)
}
