import { type SealedSaver, saverKinds } from '@heirloom/core'
import { malformed } from './sections.ts'

/** A text is padded to a multiple of this many bytes, so that the header does not tell its length. */
const padding = 64

/**
 * Returns a text, its length before it and zeros after it, all after a heading.
 *
 * @throws RangeError when it is longer than 65,535 bytes
 */
export function paddedText(text: string, heading: readonly number[] = []): Buffer {
  const bytes = Buffer.from(text)
  const start = heading.length + 2
  const padded = Buffer.alloc(Math.ceil((start + bytes.length) / padding) * padding)
  padded.set(heading)
  padded.writeUInt16BE(bytes.length, heading.length)
  padded.set(bytes, start)
  return padded
}

/**
 * Reads the text that `paddedText` wrote; `undefined` for none.
 *
 * @throws `bundle/unreadable`
 */
export function readText(value: Uint8Array | undefined, heading = 0): string | undefined {
  if (value === undefined) return undefined
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length).subarray(heading)
  if (bytes.length < 2 || bytes.readUInt16BE() > bytes.length - 2) throw malformed()
  return bytes.toString('utf8', 2, 2 + bytes.readUInt16BE())
}

/** Encodes who saved: the number of the kind, 1 where the line before is its own, and the name. */
export const writeSaver = ({ kind, name, hasOwnLine }: SealedSaver): Buffer =>
  paddedText(name, [saverKinds.indexOf(kind) + 1, hasOwnLine ? 1 : 0])

/** Somebody of a kind that this version does not know, who is nobody that reads here. */
const unknown: SealedSaver = { kind: 'operator', name: '', hasOwnLine: false }

/**
 * Reads who saved; `undefined` for none.
 *
 * @throws `bundle/unreadable`
 */
export function readSaver(value: Uint8Array | undefined): SealedSaver | undefined {
  const name = readText(value, 2)
  if (value === undefined || name === undefined) return undefined
  const [number = 0, line] = value
  const kind = saverKinds[number - 1]
  return kind === undefined ? unknown : { kind, name, hasOwnLine: line === 1 }
}
