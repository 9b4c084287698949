import { sizes } from './envelope.ts'
import { malformed, readSections, sectionValue, writeSections } from './sections.ts'

/** The types of the inner sections of the private section. */
const privateTypes = { lineName: 0x0003, salt: 0x8001, documentLength: 0x8002 }

/** A name is padded to a multiple of this many bytes, so that the header does not tell its length. */
const namePadding = 64

/** The content of the private section. */
export type Hidden = {
  /** The salt of the content hash. */
  readonly salt: Uint8Array
  /** The length of the document, in bytes. */
  readonly documentLength: number
  /** The name of the line, and of its owner; `undefined` without a line. */
  readonly lineName: string | undefined
}

/** Encodes the content of the private section. */
export function writeHidden({ salt, documentLength, lineName }: Hidden): Uint8Array {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(documentLength))
  const name = lineName === undefined ? [] : [paddedName(lineName)]
  return writeSections([
    ...name.map((value) => ({ type: privateTypes.lineName, value })),
    { type: privateTypes.salt, value: salt },
    { type: privateTypes.documentLength, value: length },
  ])
}

/**
 * Returns a name, its length before it and zeros after it.
 *
 * @throws RangeError when it is longer than 65,535 bytes
 */
function paddedName(name: string): Buffer {
  const text = Buffer.from(name)
  const padded = Buffer.alloc(Math.ceil((2 + text.length) / namePadding) * namePadding)
  padded.writeUInt16BE(text.length)
  padded.set(text, 2)
  return padded
}

function readName(value: Uint8Array | undefined): string | undefined {
  if (value === undefined) return undefined
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length)
  if (bytes.length < 2 || bytes.readUInt16BE() > bytes.length - 2) throw malformed()
  return bytes.toString('utf8', 2, 2 + bytes.readUInt16BE())
}

/**
 * Decodes the content of the private section; its parts are views of the bytes.
 *
 * @throws `bundle/unreadable`
 */
export function readHidden(inside: Uint8Array): Hidden {
  const sections = readSections(inside, Object.values(privateTypes))
  return {
    salt: sectionValue(sections, privateTypes.salt, sizes.salt),
    documentLength: Number(
      sectionValue(sections, privateTypes.documentLength, 8).readBigUInt64BE(0),
    ),
    lineName: readName(sections.get(privateTypes.lineName)?.value),
  }
}
