import { Failure, type SealedSaver, saverKinds } from '@heirloom/core'

/**
 * A list of typed values: for each the type in 2 bytes, the length of the value in 4, and the
 * value. Types strictly ascend, so a list has one encoding, and no type occurs twice.
 *
 * The top bit of a type marks a critical section: a reader that does not know it must refuse the
 * list. Any other unknown section is skipped.
 */
export type Section = { readonly type: number; readonly value: Uint8Array }

/** The sections of a list by their types, and where each starts and ends in the list. */
export type Sections = ReadonlyMap<
  number,
  Section & { readonly start: number; readonly end: number }
>

/** The length of the heading before each value, in bytes. */
const sectionHeading = 6

const critical = 0x8000

/** Encodes sections, whose types must ascend, in one list. */
export function writeSections(sections: readonly Section[]): Buffer {
  return Buffer.concat(sections.flatMap(({ type, value }) => [headingOf(type, value), value]))
}

function headingOf(type: number, value: Uint8Array): Buffer {
  const heading = Buffer.allocUnsafe(sectionHeading)
  heading.writeUInt16BE(type, 0)
  heading.writeUInt32BE(value.length, 2)
  return heading
}

/**
 * Decodes a list of sections. The values are views of the list.
 *
 * @throws `bundle/unreadable` when the encoding is invalid anywhere, or a critical section is not
 * among the known types
 */
export function readSections(list: Uint8Array, known: readonly number[]): Sections {
  const read = new Map<number, Section & { start: number; end: number }>()
  const bytes = Buffer.from(list.buffer, list.byteOffset, list.byteLength)
  let before = -1
  for (let at = 0; at < bytes.length; ) {
    const section = sectionAt(bytes, at)
    if (section.type <= before) throw malformed()
    refuseUnknown(section.type, known)
    read.set(section.type, section)
    before = section.type
    at = section.end
  }
  return read
}

function sectionAt(bytes: Buffer, start: number) {
  if (bytes.length - start < sectionHeading) throw malformed()
  const type = bytes.readUInt16BE(start)
  const end = start + sectionHeading + bytes.readUInt32BE(start + 2)
  if (end > bytes.length) throw malformed()
  return { type, start, end, value: bytes.subarray(start + sectionHeading, end) }
}

function refuseUnknown(type: number, known: readonly number[]): void {
  if ((type & critical) === 0 || known.includes(type)) return
  throw unreadable('it needs a feature that this version does not have')
}

/**
 * Returns the value of a section.
 *
 * @throws `bundle/unreadable` when there is no such section, or its value has another length
 */
export function sectionValue(sections: Sections, type: number, length: number): Buffer {
  const value = sections.get(type)?.value
  if (value?.length !== length) throw malformed()
  return Buffer.from(value.buffer, value.byteOffset, length)
}

/** Returns the failure of a header with an invalid encoding. */
export const malformed = () => unreadable('its header is malformed')

/** Returns the failure of opening; `problem` states the kind of damage, and no content. */
export const unreadable = (problem: string): Failure<'bundle/unreadable'> =>
  new Failure('bundle/unreadable', { problem })

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
