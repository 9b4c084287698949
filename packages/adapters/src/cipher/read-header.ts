import {
  codecs,
  type Header,
  heldByServer,
  magic,
  mostPacks,
  sectionTypes,
  sizes,
  version,
  type Wrapped,
} from './envelope.ts'
import { malformed, readSections, type Sections, sectionValue, unreadable } from './sections.ts'

const known = Object.values(sectionTypes)
const firstUnbound = 0xff00

/**
 * Decodes the header of an envelope, or of its first bytes. It needs no key, so nothing of it is
 * authenticated; its parts are views of the bytes.
 *
 * @throws `bundle/unreadable`
 */
export function readHeader(sealed: Uint8Array): Header {
  const { header, sections } = partsOf(sealed)
  if (sectionValue(sections, sectionTypes.policy, 1)[0] !== heldByServer[0]) {
    throw unreadable('its key is not held by a server, as this version needs it')
  }
  const key = sectionValue(sections, sectionTypes.key, sizes.wrapped)
  const hidden = sections.get(sectionTypes.hidden)?.value
  if (hidden === undefined || hidden.length < sizes.nonce + sizes.overhead) throw malformed()
  const end = header.length - sizes.tag
  const unbound = [...sections.values()].find(({ type }) => type >= firstUnbound)
  const boundEnd = sizes.preamble + (unbound?.start ?? 0)
  const { hasParts, ...payload } = readPayload(
    sectionValue(sections, sectionTypes.payload, sizes.payload),
  )
  return {
    context: sectionValue(sections, sectionTypes.context, sizes.context),
    contentHash: sectionValue(sections, sectionTypes.content, sizes.contentHash),
    ...payload,
    ...readShown(sections),
    packs: readPacks(sections, hasParts),
    length: header.length,
    sealingKeyId: key.subarray(0, 16),
    tagged: header.subarray(0, boundEnd),
    boundSections: header.subarray(sizes.preamble, boundEnd),
    tag: header.subarray(end),
    hidden: { nonce: hidden.subarray(0, sizes.nonce), box: hidden.subarray(sizes.nonce) },
    wrapped: readWrapped(key),
    line: readLine(sections),
  }
}

const readWrapped = (value: Uint8Array): Wrapped => ({
  salt: value.subarray(16, 32),
  nonce: value.subarray(32, 56),
  box: value.subarray(56),
})

function readLine(sections: Sections): Header['line'] {
  if (!sections.has(sectionTypes.line)) return undefined
  const value = sectionValue(sections, sectionTypes.line, sizes.wrapped)
  return { sealingKeyId: value.subarray(0, 16), ...readWrapped(value) }
}

function readPacks(sections: Sections, hasParts: boolean): readonly Uint8Array[] | undefined {
  const value = sections.get(sectionTypes.packs)?.value
  if (hasParts !== (value !== undefined)) throw malformed()
  if (value === undefined) return undefined
  const count = value.length / sizes.digest
  if (!Number.isInteger(count) || count === 0 || count > mostPacks) throw malformed()
  return Array.from({ length: count }, (_, at) =>
    value.subarray(at * sizes.digest, (at + 1) * sizes.digest),
  )
}

function partsOf(sealed: Uint8Array) {
  if (!magic.equals(sealed.subarray(0, magic.length))) throw unreadable('it is not a sealed bundle')
  refuseOtherVersion(sealed[magic.length])
  if (sealed.length < sizes.preamble) throw unreadable('it is cut short')
  const length = Buffer.from(sealed.buffer, sealed.byteOffset).readUInt32BE(magic.length + 1)
  if (length > sizes.longestHead || length < sizes.preamble + sizes.tag) throw malformed()
  if (length > sealed.length) throw unreadable('it is cut short')
  const header = sealed.subarray(0, length)
  return { header, sections: readSections(header.subarray(sizes.preamble, -sizes.tag), known) }
}

function refuseOtherVersion(found: number | undefined): void {
  if (found === version) return
  throw unreadable(
    found === 2
      ? 'its envelope has version 2, which is no longer supported; snapshot the memory anew'
      : `its envelope has version ${found}, and this server reads version ${version}`,
  )
}

function readPayload(value: Buffer) {
  const [codec] = value
  const length = value.readBigUInt64BE(24)
  if (codec === undefined || codec > codecs.parts || value.readUInt32BE(20) !== sizes.chunk) {
    throw unreadable('its payload is written in a way that this version does not know')
  }
  if (length > Number.MAX_SAFE_INTEGER) throw malformed()
  return {
    compressed: codec === codecs.zstd,
    hasParts: codec === codecs.parts,
    chunkPrefix: value.subarray(1, 20),
    sealedLength: Number(length),
  }
}

/** Returns what is shown; a root of another length is as unknown as one that is not there. */
function readShown(sections: Sections): Pick<Header, 'items' | 'excerpts'> {
  const items = sections.get(sectionTypes.items)?.value
  if (items?.length !== sizes.items) return {}
  return { items, excerpts: sections.get(sectionTypes.excerpts)?.value }
}
