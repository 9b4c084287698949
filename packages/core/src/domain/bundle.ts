import { Failure } from '../failure.ts'
import type { Hash } from './hash.ts'
import { isObject, type JsonMembers, type JsonText, parseJson, readMembers } from './json.ts'
import { encodeUtf8 } from './utf8.ts'

/** What a memory says of itself; any further member is kept. */
export type Metadata = {
  /** Conventional values: trading, research, support, gaming, social; any other is allowed. */
  readonly category: string
  readonly agentId?: string
  readonly version?: string
  readonly [member: string]: unknown
}

/** An agent's memory: any JSON object, and metadata. */
export type Bundle = { readonly data: object; readonly metadata: Metadata }

/**
 * A bundle in one of three forms: an object, the UTF-8 bytes of a JSON object with the members
 * `data` and `metadata`, or the members of such an object already read. Bytes and members are
 * kept exactly as they are; an object is written as JSON once.
 */
export type BundleInput = Bundle | Uint8Array | JsonMembers

const opening = encodeUtf8('{"data":')
const between = encodeUtf8(',"metadata":')
const closing = encodeUtf8('}')

/**
 * Returns the document of a bundle, the bytes that are hashed, sealed and given back:
 * `{"data":D,"metadata":M}`, with D and M being the exact texts that were given. Where the bytes
 * that were given hold just that, it is a view of them.
 *
 * @throws `bundle/malformed`, `json/malformed`, `json/duplicate-member`, `json/too-deep`
 */
export function documentOf(bundle: BundleInput): Uint8Array {
  const members = membersOf(bundle)
  const data = objectText(members, 'data')
  const metadata = objectText(members, 'metadata')
  refuseNamelessCategory(metadata)
  return written(data, metadata) ?? concatenate([opening, data, between, metadata, closing])
}

/** Returns the document out of the bytes that its texts are views of; most clients write it so. */
function written(data: JsonText, metadata: JsonText): Uint8Array | undefined {
  const { buffer } = data
  const start = data.byteOffset - opening.length
  const end = metadata.byteOffset + metadata.length + closing.length
  const gap = metadata.byteOffset - data.byteOffset - data.length
  if (metadata.buffer !== buffer || gap !== between.length) return undefined
  if (start < 0 || end > buffer.byteLength) return undefined
  const whole = new Uint8Array(buffer, start, end - start)
  return isAround(whole, data.length) ? whole : undefined
}

function isAround(whole: Uint8Array, dataLength: number): boolean {
  return (
    holds(whole, 0, opening) &&
    holds(whole, opening.length + dataLength, between) &&
    holds(whole, whole.length - closing.length, closing)
  )
}

function holds(bytes: Uint8Array, start: number, part: Uint8Array): boolean {
  return part.every((byte, at) => bytes[start + at] === byte)
}

function membersOf(bundle: BundleInput): JsonMembers {
  if (bundle instanceof Map) return bundle
  if (bundle instanceof Uint8Array) return readMembers(bundle)
  const { data, metadata } = bundle as Bundle
  return readMembers(encodeUtf8(stringify({ data, metadata })))
}

function stringify(bundle: Bundle): string {
  try {
    return JSON.stringify(bundle)
  } catch (cause) {
    const problem = 'it has no JSON form (a cycle, a bigint, or nested too deep)'
    throw new Failure('bundle/malformed', { problem }, { cause })
  }
}

function objectText(members: JsonMembers, name: string): JsonText {
  const text = members.get(name)
  if (text === undefined || !isObject(text)) {
    throw new Failure('bundle/malformed', { problem: `${name} must be a JSON object` })
  }
  return text
}

function refuseNamelessCategory(metadata: JsonText): void {
  const { category } = parseJson(metadata) as Partial<Metadata>
  if (typeof category !== 'string' || category === '') {
    throw new Failure('bundle/malformed', {
      problem: 'metadata.category must be a non-empty string',
    })
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * Refuses a document that is not the one the chain recorded.
 *
 * @throws `bundle/altered`
 */
export function refuseAltered(expected: Hash, actual: Hash): void {
  if (expected !== actual) throw new Failure('bundle/altered', { expected, actual })
}
