import type { Keystream } from './cutter.ts'

/** The bytes of a new pack, and what its version writes about it. */
export type NewPack = {
  readonly tag: number
  readonly hasNodes: boolean
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A place in a new pack, and the bytes there. */
export type NewPlace = { readonly tag: number; readonly offset: number; readonly box: Uint8Array }

/** A writer of the packs of one version. */
export type PackWriter = {
  /**
   * Returns the next place for a number of bytes, which the caller writes at once. No pack is begun
   * for less than half of the usual length, as far as `left`, the bytes of the document that follow,
   * tells.
   */
  place(length: number, left?: number): NewPlace
  /** Says that what follows are nodes: they get a pack of their own, unless the only one is short. */
  startNodes(): void
  /** Pads the packs and returns them. */
  end(): readonly NewPack[]
}

export declare namespace packWriter {
  type Input = {
    /** Makes the tags and the padding. */
    readonly draws: Keystream
    /** The length from which another pack is begun, in bytes. */
    readonly usualLength: number
    /** The room of a pack to begin with, in bytes; it grows. */
    readonly firstRoom: number
    /** The most packs to begin besides that of the nodes. */
    readonly most: number
  }
}

/** A pack that is being written. */
type OpenPack = {
  readonly tag: number
  hasNodes: boolean
  bytes: Uint8Array<ArrayBuffer>
  filled: number
}

/** Up to this length, in bytes, a pack may hold both chunks and nodes: it is soon read. */
const shortPack = 262_144

/** Returns a writer. */
export function packWriter({ draws, usualLength, firstRoom, most }: packWriter.Input): PackWriter {
  const packs: OpenPack[] = []
  const begin = (hasNodes: boolean): OpenPack => {
    const tag = draws(4).readUInt32BE()
    const pack = { tag, hasNodes, bytes: new Uint8Array(firstRoom), filled: 0 }
    packs.push(pack)
    return pack
  }
  return {
    place(length, left = 0) {
      let pack = packs.at(-1) ?? begin(false)
      const isFull = pack.filled + length > usualLength && pack.filled > 0
      // A later version writes a short pack again sooner than a long one.
      const isLong = length + left > usualLength / 2
      if (isFull && isLong && !pack.hasNodes && packs.length < most) pack = begin(false)
      const offset = pack.filled
      pack.filled += length
      makeRoom(pack)
      return { tag: pack.tag, offset, box: pack.bytes.subarray(offset, pack.filled) }
    },
    startNodes() {
      const [only, ...others] = packs
      if (only !== undefined && others.length === 0 && only.filled <= shortPack)
        only.hasNodes = true
      else begin(true)
    },
    end: () => packs.filter(({ filled }) => filled > 0).map((pack) => pad(pack, draws)),
  }
}

function makeRoom(pack: OpenPack): void {
  if (pack.filled <= pack.bytes.length) return
  const length = Math.max(pack.filled, Math.ceil(pack.bytes.length * 1.5))
  pack.bytes = new Uint8Array(pack.bytes.buffer.transfer(length))
}

/** Pads a pack with bytes that nobody can tell from sealed ones. */
function pad({ tag, hasNodes, bytes, filled }: OpenPack, draws: Keystream): NewPack {
  const length = paddedLength(filled)
  const padded = new Uint8Array(bytes.buffer.transfer(length))
  padded.set(draws(length - filled), filled)
  return { tag, hasNodes, bytes: padded }
}

/** The least length of a pack in bytes. */
const leastLength = 256

/**
 * Returns the length that a pack is padded to (Padmé): at most 12% more, and so few different lengths
 * that one says little about the content.
 */
function paddedLength(length: number): number {
  if (length <= leastLength) return leastLength
  const exponent = 31 - Math.clz32(length)
  const retained = 32 - Math.clz32(exponent)
  const step = 2 ** (exponent - retained)
  return Math.ceil(length / step) * step
}
