import { mostPacks } from '../envelope.ts'
import { type ListReader, listReader, listWriter, malformedList } from './list-bytes.ts'
import { entrySizes, type ListNode, readNode, writeNode } from './list-node.ts'

/** A pack of one version, as its root describes it. */
export type PackFacts = {
  readonly tag: number
  /** The length of the whole pack in bytes. */
  readonly length: number
  /** Whether nodes of the list are in it. */
  readonly hasNodes: boolean
}

/** The root of the list of one version. */
export type ListRoot = {
  /** The packs, in the order of their digests in the header. */
  readonly packs: readonly PackFacts[]
  readonly top: ListNode
}

/** Encodes a root: the number of packs, for each its tag, flags and length, and the top node. */
export function writeRoot({ packs, top }: ListRoot): Buffer {
  const writer = listWriter()
  writer.number(packs.length)
  for (const { tag, length, hasNodes } of packs) {
    const bytes = Buffer.allocUnsafe(entrySizes.tag)
    bytes.writeUInt32BE(tag)
    writer.bytes(bytes)
    writer.number(hasNodes ? 1 : 0)
    writer.number(length)
  }
  writer.bytes(writeNode(top))
  return writer.end()
}

/**
 * Decodes a root.
 *
 * @throws `bundle/unreadable`
 */
export function readRoot(bytes: Uint8Array): ListRoot {
  const reader = listReader(bytes)
  const count = reader.number()
  if (count > mostPacks) throw malformedList()
  const packs = Array.from({ length: count }, () => readFacts(reader))
  if (new Set(packs.map(({ tag }) => tag)).size !== count) throw malformedList()
  return { packs, top: readNode(reader.rest()) }
}

function readFacts(reader: ListReader): PackFacts {
  const tag = reader.bytes(entrySizes.tag).readUInt32BE()
  const hasNodes = reader.number() === 1
  return { tag, hasNodes, length: reader.number() }
}
