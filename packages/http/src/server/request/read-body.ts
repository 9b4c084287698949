import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { releaseBuffer } from '@heirloom/adapters/internal/platform'
import { type JsonObject, readJsonObject } from '@heirloom/adapters/internal/read-json-object'
import { Failure, isObject, type JsonMembers, type JsonText } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fingerprintHeading } from '../plugins/idempotency-keys.ts'

/** The first capacity of the buffer, in bytes; most bodies need no more. */
const firstCapacity = 65_536

/** The factor by which the capacity grows; pages that are never written cost no memory. */
const growth = 8

/** The bytes that are read of one body before it yields to the event loop. */
const bytesPerTurn = 262_144

export declare namespace readBody {
  type Input = {
    /** The largest body that is read, in bytes. */
    readonly limit: number
    /** The content length that the client announced, in bytes, if any. */
    readonly announced?: number | undefined
    /** Is called with the length of each chunk before it is read; may throw to refuse it. */
    readonly arrives?: ((bytes: number) => void) | undefined
  }
}

/**
 * Reads a body into a buffer of its own, which the body fills. The buffer grows with what has arrived,
 * so a client that announces much and sends little costs little memory. Releases what it has read.
 *
 * @throws `request/too-large`; `request/malformed` if the body is shorter or longer than announced
 */
export function readBody(
  source: Readable,
  { limit, announced, arrives }: readBody.Input,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = growingBuffer(announced)
  const yieldTurn = turnTaker(source)
  return new Promise((resolve, reject) => {
    const onData = (chunk: Uint8Array) => {
      if (body.length() + chunk.length > limit) return stop(() => reject(tooLarge(limit)))
      try {
        arrives?.(chunk.length)
      } catch (refusal) {
        return stop(() => reject(refusal))
      }
      const { length } = chunk
      body.add(chunk)
      releaseBuffer(chunk)
      yieldTurn(length)
    }
    const onEnd = () => {
      if (announced !== undefined && announced !== body.length()) onBreak()
      else stop(() => resolve(body.bytes()))
    }
    const onBreak = () => stop(() => reject(cutShort()))
    const stop = (settle: () => void) => {
      source.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak)
      settle()
    }
    if ((announced ?? 0) > limit) return reject(tooLarge(limit))
    source.on('error', onBreak).on('close', onBreak).on('end', onEnd).on('data', onData)
  })
}

/** Returns a function that pauses a source until the next turn of the event loop after each share. */
function turnTaker(source: Readable): (length: number) => void {
  let left = bytesPerTurn
  const resume = () => {
    left = bytesPerTurn
    source.resume()
  }
  return (length) => {
    left -= length
    if (left > 0 || source.isPaused()) return
    source.pause()
    setImmediate(resume)
  }
}

const tooLarge = (limit: number) => new Failure('request/too-large', { limit })

const cutShort = () =>
  new Failure('request/malformed', {
    where: 'content-length',
    problem: 'is not that of the body',
  })

function growingBuffer(announced = Number.POSITIVE_INFINITY) {
  let bytes = new Uint8Array(Math.min(announced, firstCapacity))
  let length = 0
  const grow = (needed: number) => {
    const capacity = Math.max(needed, Math.min(announced, bytes.length * growth))
    const larger = new Uint8Array(capacity)
    larger.set(bytes.subarray(0, length))
    releaseBuffer(bytes)
    bytes = larger
  }
  return {
    length: () => length,
    bytes: () => (length === bytes.length ? bytes : new Uint8Array(bytes.buffer.transfer(length))),
    add(chunk: Uint8Array) {
      if (length + chunk.length > bytes.length) grow(length + chunk.length)
      bytes.set(chunk, length)
      length += chunk.length
    },
  }
}

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
  app.addHook('preParsing', (request, reply, payload, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity'
    const { 'content-length': length, 'transfer-encoding': parts } = request.headers
    const isEmpty = length === undefined && parts === undefined
    if (isEmpty || coding.toLowerCase() === 'identity') return done(null, payload)
    reply.header('accept-encoding', 'identity')
    const expected = `application/json without content-encoding (this one has ${coding.slice(0, 32)})`
    done(new Failure('request/wrong-type', { expected }))
  })
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
