import { Failure } from '../failure.ts'
import { isObject, type JsonMembers, type JsonText, parseJson, readMembers } from '../json/json.ts'
import { encodeUtf8 } from '../json/utf8.ts'
import type { Hash } from '../values/branded.ts'

/** The metadata of a memory; any further member is preserved. */
export type Metadata = {
  /** Usually trading, research, support, gaming or social; any other value is allowed. */
  readonly category: string
  readonly agentId?: string
  readonly version?: string
  readonly [member: string]: unknown
}

/** An agent's memory: any JSON object, and metadata. */
export type Bundle = { readonly data: object; readonly metadata: Metadata }

/**
 * A bundle in one of three forms: an object, the UTF-8 bytes of a JSON object with the members
 * `data` and `metadata`, or the parsed members of such an object. Bytes and members are preserved
 * exactly; an object is serialised to JSON once.
 */
export type BundleInput = Bundle | Uint8Array | JsonMembers

const opening = encodeUtf8('{"data":')
const between = encodeUtf8(',"metadata":')
const closing = encodeUtf8('}')
const [brace, comma] = [encodeUtf8('{'), encodeUtf8(',')]

/**
 * Returns the document of a bundle, the bytes that are hashed, sealed and downloaded:
 * `{"data":D,"metadata":M}`, where D and M are the exact texts of the input. When the input bytes
 * already contain the document, returns a view of them. So it does when further members stand
 * around it and the bytes are handed over: the commas on both sides become the braces.
 *
 * @throws `bundle/malformed`, `json/malformed`, `json/duplicate-member`, `json/too-deep`
 */
export function documentOf(
  bundle: BundleInput,
  { isHandedOver = false }: { readonly isHandedOver?: boolean | undefined } = {},
): Uint8Array {
  const members = membersOf(bundle)
  const data = objectText(members, 'data')
  const metadata = objectText(members, 'metadata')
  requireCategory(metadata)
  return (
    viewAround(data, metadata, isHandedOver) ??
    concatenate([opening, data, between, metadata, closing])
  )
}

/** Returns the document as a view of the input, if the input holds it; most clients send it so. */
function viewAround(
  data: JsonText,
  metadata: JsonText,
  isHandedOver: boolean,
): Uint8Array | undefined {
  const { buffer } = data
  const start = data.byteOffset - opening.length
  const end = metadata.byteOffset + metadata.length + closing.length
  const gap = metadata.byteOffset - data.byteOffset - data.length
  if (metadata.buffer !== buffer || gap !== between.length) return undefined
  if (start < 0 || end > buffer.byteLength) return undefined
  const whole = new Uint8Array(buffer, start, end - start)
  if (!hasPartAt(whole, 1, opening.subarray(1))) return undefined
  if (!hasPartAt(whole, opening.length + data.length, between)) return undefined
  return hasBraces(whole, isHandedOver) ? whole : undefined
}

/** Returns whether bytes begin and end with braces, after commas there became these. */
function hasBraces(whole: Uint8Array, isHandedOver: boolean): boolean {
  const last = whole.length - closing.length
  const isBrace = hasPartAt(whole, 0, brace) && hasPartAt(whole, last, closing)
  if (isBrace || !isHandedOver) return isBrace
  if (!hasPartAt(whole, 0, brace) && !hasPartAt(whole, 0, comma)) return false
  if (!hasPartAt(whole, last, closing) && !hasPartAt(whole, last, comma)) return false
  whole.set(brace, 0)
  whole.set(closing, last)
  return true
}

function hasPartAt(bytes: Uint8Array, start: number, part: Uint8Array): boolean {
  return part.every((byte, at) => bytes[start + at] === byte)
}

/**
 * Returns the parsed members of a bundle, which are a bundle too that is not parsed again.
 *
 * @throws `bundle/malformed`, `json/malformed`, `json/duplicate-member`, `json/too-deep`
 */
export function membersOf(bundle: BundleInput): JsonMembers {
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

function requireCategory(metadata: JsonText): void {
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
 * Refuses a document whose hash differs from the one on the chain.
 *
 * @throws `bundle/altered`
 */
export function refuseAltered(expected: Hash, actual: Hash): void {
  if (expected !== actual) throw new Failure('bundle/altered', { expected, actual })
}
