import { hash } from 'node:crypto'
import { type Digest, digest } from '@heirloom/core'
import { cidOf, treeCode } from './cid.ts'
import type { Part, Trees } from './unixfs-trees.ts'

/** The most links of a node that UnixFS writes. */
const mostLinks = 1024

/** A node of a tree: a leaf, or one that was encoded. */
type Node = Part & {
  /** The number of bytes of content below it. */
  readonly content: number
}

/** Returns the block of the root that UnixFS writes over leaves. */
export function encodeRoot(
  leaves: readonly Part[],
  codec: Pick<Trees['codec'], 'encode'>,
): Uint8Array {
  let nodes: readonly Node[] = leaves.map((leaf) => ({ ...leaf, content: leaf.length }))
  for (;;) {
    const blocks = groupsOf(nodes).map((links) => ({ links, block: encodeNode(links, codec) }))
    const [first] = blocks
    if (first !== undefined && blocks.length === 1) return first.block
    nodes = blocks.map(({ links, block }) => ({
      cid: cidOf(digestOfBlock(block), treeCode),
      length: block.length + sum(links.map(({ length }) => length)),
      content: sum(links.map(({ content }) => content)),
    }))
  }
}

function groupsOf(nodes: readonly Node[]): readonly (readonly Node[])[] {
  const count = Math.max(1, Math.ceil(nodes.length / mostLinks))
  return Array.from({ length: count }, (_, at) => nodes.slice(at * mostLinks, (at + 1) * mostLinks))
}

/** Encodes a node: what UnixFS says of a file, in protocol buffers, and the links. */
function encodeNode(links: readonly Node[], codec: Pick<Trees['codec'], 'encode'>): Uint8Array {
  const sizes = links.flatMap(({ content }) => [0x20, ...varint(content)])
  const total = sum(links.map(({ content }) => content))
  const Data = Uint8Array.of(0x08, 2, 0x18, ...varint(total), ...sizes)
  const Links = links.map(({ cid, length }) => ({ Hash: cid, Name: '', Tsize: length }))
  return codec.encode({ Data, Links })
}

const digestOfBlock = (block: Uint8Array): Digest => digest(`0x${hash('sha256', block)}`)

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)

/** Encodes a number as protocol buffers do. */
export const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
