import { createHash } from 'node:crypto'
import { type Cipher, Failure, type Hash, hash } from '@heirloom/core'
import { memoryCipher } from '../fakes/cipher.ts'
import type { Broken } from './broken.ts'

/** One cipher for each law of ciphers. */
export const brokenCiphers: readonly Broken<Cipher>[] = [
  {
    law: 'opens what it sealed to the same bytes',
    fault: 'cuts long documents',
    open: async () => {
      const inner = memoryCipher()
      return {
        seal: inner.seal,
        open: async (sealed) => {
          const opened = await inner.open(sealed)
          if (opened.document.length <= 300) return opened
          const document = opened.document.slice(0, 300)
          return { ...opened, document, contentHash: sha256(saltBytes(opened), document) }
        },
      }
    },
  },
  {
    law: 'names the same content when sealing and opening',
    fault: 'names the sealed bytes when sealing',
    open: async () => {
      const inner = memoryCipher()
      return {
        seal: async (document) => {
          const { sealed } = await inner.seal(document)
          return { sealed, contentHash: sha256(sealed) }
        },
        open: inner.open,
      }
    },
  },
  {
    law: 'names the content as sha256 of the salt and the document',
    fault: 'puts the salt behind the document',
    open: async () => {
      const inner = memoryCipher()
      const open: Cipher['open'] = async (sealed) => {
        const opened = await inner.open(sealed)
        return { ...opened, contentHash: sha256(opened.document, saltBytes(opened)) }
      }
      const seal: Cipher['seal'] = async (document) => {
        const { sealed } = await inner.seal(document)
        return { sealed, contentHash: (await open(sealed)).contentHash }
      }
      return { seal, open }
    },
  },
  {
    law: 'seals one document differently each time',
    fault: 'draws the same bytes every time',
    open: async () => memoryCipher({ random: (length) => new Uint8Array(length) }),
  },
  {
    law: 'shows nothing of the document in what it sealed',
    fault: 'adds the document to what it sealed',
    open: async () => {
      const inner = memoryCipher()
      return framed(
        inner,
        (sealed, document) => Buffer.concat([lengthOf(sealed), sealed, document]),
        async (bytes) => {
          const end = 4 + bytes.readUInt32BE(0)
          const sealed = bytes.subarray(4, end)
          const { document } = await inner.open(sealed)
          if (Buffer.compare(document, bytes.subarray(end)) !== 0) throw unreadable()
          return sealed
        },
      )
    },
  },
  {
    law: 'refuses a sealed bundle with one bit changed with `bundle/unreadable`',
    fault: 'does not look at its first bytes',
    open: async () =>
      framed(
        memoryCipher(),
        (sealed) => Buffer.concat([Buffer.alloc(64), sealed]),
        async (bytes) => bytes.subarray(64),
      ),
  },
  {
    law: 'refuses a sealed bundle cut short or prolonged with `bundle/unreadable`',
    fault: 'does not look behind its end',
    open: async () =>
      framed(
        memoryCipher(),
        (sealed) => Buffer.concat([lengthOf(sealed), sealed]),
        async (bytes) => {
          const end = 4 + bytes.readUInt32BE(0)
          if (end > bytes.length) throw unreadable()
          return bytes.subarray(4, end)
        },
      ),
  },
  {
    law: 'refuses bytes it did not seal with `bundle/unreadable`',
    fault: 'takes what has no mark for an old plain document',
    open: async () => {
      const inner = memoryCipher()
      const marked = framed(
        inner,
        (sealed) => Buffer.concat([mark, sealed]),
        async (bytes) => {
          if (!bytes.subarray(0, mark.length).equals(mark)) throw unreadable()
          return bytes.subarray(mark.length)
        },
      )
      return {
        seal: marked.seal,
        open: async (bytes) =>
          isAlmostMarked(bytes) ? marked.open(bytes) : inner.open((await inner.seal(bytes)).sealed),
      }
    },
  },
]

const mark = Buffer.from('heirloom')

/** A flipped bit, or an end that is missing, is no reason to take bytes for old ones. */
function isAlmostMarked(bytes: Uint8Array): boolean {
  const differing = mark.subarray(0, bytes.length).filter((byte, at) => byte !== bytes[at])
  return differing.length <= 1
}

/** Returns a cipher that puts what it sealed into a frame. */
function framed(
  inner: Cipher,
  frame: (sealed: Uint8Array, document: Uint8Array) => Uint8Array,
  unframe: (bytes: Buffer) => Promise<Uint8Array>,
): Cipher {
  return {
    seal: async (document) => {
      const { sealed, contentHash } = await inner.seal(document)
      return { sealed: Uint8Array.from(frame(sealed, document)), contentHash }
    },
    open: async (bytes) => {
      if (bytes.length < 4) throw unreadable()
      return inner.open(await unframe(Buffer.from(bytes)))
    },
  }
}

function lengthOf(bytes: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return length
}

function unreadable(): Failure {
  return new Failure('bundle/unreadable', { problem: 'it was changed' })
}

function saltBytes({ salt }: { readonly salt: string }): Uint8Array {
  return Buffer.from(salt.slice(2), 'hex')
}

function sha256(...parts: readonly Uint8Array[]): Hash {
  return hash(`0x${createHash('sha256').update(Buffer.concat(parts)).digest('hex')}`)
}
