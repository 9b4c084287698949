import { Failure } from '@heirloom/core'

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
