import { HeirloomError } from './heirloom-error.ts'
import type { MemoryText, SnapshotContent, SnapshotOptions } from './requests.ts'
import { concatBytes } from './transport/decode-response.ts'
import { encodeJson, encodeTokenId } from './transport/request-line.ts'

/**
 * Encodes a memory as the JSON text `{"data":…,"metadata":…}` in UTF-8.
 *
 * @throws `bundle/malformed` for values that JSON leaves out, changes or refuses, for lone surrogates, and for a document
 * with other members, which a request would take for its options
 */
export async function encodeDocument(content: SnapshotContent): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await encodeContent(content)
  if (!('document' in content)) return bytes
  const { otherMember } = await import('./transport/find-unencodable.ts')
  const other = otherMember(bytes)
  if (other === undefined) return bytes
  throw malformed(`it has "${other.slice(0, 99)}" beside data and metadata`)
}

/**
 * Encodes a memory, and does not read a document.
 *
 * @throws `bundle/malformed` for values that JSON leaves out, changes or refuses, and for lone surrogates
 */
export const encodeContent = async (content: SnapshotContent): Promise<Uint8Array<ArrayBuffer>> =>
  'document' in content ? bytesOf(content.document) : encodeObject(content)

function bytesOf(document: MemoryText['document']): Uint8Array<ArrayBuffer> {
  if (typeof document !== 'string') return new Uint8Array(document)
  // TextEncoder would replace each lone surrogate by another character.
  if (!document.isWellFormed()) throw malformed('it has a lone surrogate')
  return new TextEncoder().encode(document)
}

async function encodeObject({ data, metadata }: Exclude<SnapshotContent, MemoryText>) {
  const { findUnencodable } = await import('./transport/find-unencodable.ts')
  const found = findUnencodable({ data, metadata })
  if (found !== undefined) throw malformed(`${found}, which has no JSON form`)
  try {
    return encodeJson({ data, metadata })
  } catch (cause) {
    throw malformed('it is nested too deep', cause)
  }
}

/** The members of a body besides the document; with a name, `after` is its version seen last. */
type BodyOptions = SnapshotOptions & {
  readonly name?: string
  readonly after?: string | undefined
}

/** Returns the body of a snapshot request; the bytes of the document are unchanged. */
export function snapshotBody(
  document: Uint8Array<ArrayBuffer>,
  { card, parentTokenId, recipient, salt, name, after, accept }: BodyOptions,
): Uint8Array<ArrayBuffer> {
  const parent =
    parentTokenId === undefined ? undefined : encodeTokenId(parentTokenId, 'parentTokenId')
  const options = JSON.stringify({
    card,
    parentTokenId: parent,
    recipient,
    salt,
    name,
    after,
    accept,
  })
  if (options === '{}') return document
  const rest = new TextEncoder().encode(`,${options.slice(1)}`)
  return concatBytes([removeLastBrace(document), rest])
}

/** Removes the last brace of an object; other text is unchanged, and the server refuses it. */
function removeLastBrace(text: Uint8Array<ArrayBuffer>): Uint8Array {
  const end = text.findLastIndex((byte) => !whiteSpace.has(byte))
  return text[end] === closingBrace ? text.subarray(0, end) : text
}

/** The white space of JSON: tab, line feed, carriage return, space. */
const whiteSpace = new Set([0x09, 0x0a, 0x0d, 0x20])
const closingBrace = 0x7d

function malformed(problem: string, cause?: unknown): HeirloomError<'bundle/malformed'> {
  return new HeirloomError({
    code: 'bundle/malformed',
    facts: { problem },
    message: `The bundle is invalid: ${problem}.`,
    cause,
  })
}
