import { sizes } from './envelope.ts'
import { readSections, sectionValue, writeSections } from './sections.ts'

/** The types of the inner sections of the private section. */
const privateTypes = { salt: 0x8001, documentLength: 0x8002 }

/** The content of the private section. */
export type Hidden = {
  /** The salt of the content hash. */
  readonly salt: Uint8Array
  /** The length of the document, in bytes. */
  readonly documentLength: number
}

/** Encodes the content of the private section. */
export function writeHidden({ salt, documentLength }: Hidden): Uint8Array {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(documentLength))
  return writeSections([
    { type: privateTypes.salt, value: salt },
    { type: privateTypes.documentLength, value: length },
  ])
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
  }
}
