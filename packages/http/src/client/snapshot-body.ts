import { HeirloomError } from './heirloom-error.ts'
import type { MemoryText, SnapshotContent, SnapshotInput } from './requests.ts'
import { spelledId } from './transport/encode-values.ts'
import { joined } from './transport/read-whole.ts'

/**
 * Returns the text `{"data":…,"metadata":…}` of a memory, in UTF-8.
 *
 * @throws `bundle/malformed` for what has no JSON form, or is not Unicode
 */
export function documentOf(content: SnapshotContent): Uint8Array<ArrayBuffer> {
  if (!('document' in content)) return written(content)
  const { document } = content
  if (typeof document !== 'string') return new Uint8Array(document)
  // It would be sent with another character in the place of each lone surrogate.
  if (!document.isWellFormed()) throw malformed('it has a lone surrogate')
  return new TextEncoder().encode(document)
}

function written({ data, metadata }: Exclude<SnapshotContent, MemoryText>) {
  try {
    return new TextEncoder().encode(JSON.stringify({ data, metadata }))
  } catch (cause) {
    throw malformed('it has no JSON form (a cycle, a bigint, or nested too deep)', cause)
  }
}

/** Returns the body that snapshots a document, of which no byte is changed. */
export function snapshotBody(
  document: Uint8Array<ArrayBuffer>,
  { card, parentTokenId, recipient }: Omit<SnapshotInput, 'document' | 'data' | 'metadata'>,
): Uint8Array<ArrayBuffer> {
  const parent = parentTokenId === undefined ? undefined : spelledId(parentTokenId)
  const beside = JSON.stringify({ card, parentTokenId: parent, recipient })
  if (beside === '{}') return document
  const more = new TextEncoder().encode(`,${beside.slice(1)}`)
  return joined([withoutEnd(document), more])
}

/** Returns the text of an object without its last brace; another text as it is, to be refused. */
function withoutEnd(text: Uint8Array<ArrayBuffer>): Uint8Array {
  const end = text.findLastIndex((byte) => !spaces.has(byte))
  return text[end] === closing ? text.subarray(0, end) : text
}

/** What JSON allows between its parts: tab, line feed, carriage return, space. */
const spaces = new Set([0x09, 0x0a, 0x0d, 0x20])
const closing = 0x7d

function malformed(problem: string, cause?: unknown): HeirloomError<'bundle/malformed'> {
  return new HeirloomError({
    code: 'bundle/malformed',
    facts: { problem },
    message: `The bundle is invalid: ${problem}.`,
    cause,
  })
}
