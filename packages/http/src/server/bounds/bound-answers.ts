import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { clientOf } from '../request/client-of.ts'

/** The length up to which an answer is not counted. */
const uncountedLength = 16_384

/** The characters of JSON that all clients together may leave unread; each takes some two bytes. */
const mostUnread = 2 ** 26

/** The unread answers of a client, oldest first, with their lengths. */
type Unread = { length: number; readonly answers: Map<ServerResponse, number> }

/**
 * Bounds the answers in JSON that wait for their clients to read them. Where they are too long together,
 * the oldest answer of the client with the most is given up with its connection. Nobody is refused.
 */
export function boundAnswers(app: FastifyInstance, most = mostUnread): void {
  const clients = new Map<string, Unread>()
  let total = 0
  const release = (client: string, answer: ServerResponse) => {
    const unread = clients.get(client)
    const length = unread?.answers.get(answer)
    if (unread === undefined || length === undefined) return
    unread.answers.delete(answer)
    unread.length -= length
    total -= length
    if (unread.answers.size === 0) clients.delete(client)
  }
  const hold = (client: string, answer: ServerResponse, length: number) => {
    const unread = clients.get(client) ?? { length: 0, answers: new Map() }
    clients.set(client, unread)
    unread.answers.set(answer, length)
    unread.length += length
    total += length
    answer.once('close', () => release(client, answer))
  }
  const giveUpOldest = ([client, { answers }]: readonly [string, Unread]) => {
    const [oldest] = answers.keys()
    if (oldest === undefined) return
    release(client, oldest)
    oldest.destroy()
  }
  app.addHook('onSend', (request, { raw }, payload, done) => {
    if (typeof payload === 'string' && payload.length > uncountedLength && !raw.destroyed) {
      hold(clientOf(request), raw, payload.length)
      while (total > most && total > payload.length) giveUpOldest(longest(clients))
    }
    done()
  })
}

function longest(clients: ReadonlyMap<string, Unread>): readonly [string, Unread] {
  const all = [...clients]
  return all.reduce((one, other) => (other[1].length > one[1].length ? other : one))
}
