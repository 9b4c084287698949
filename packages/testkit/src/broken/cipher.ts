import { createHash } from 'node:crypto'
import { type Cipher, Failure, type Hash, hash, type SealContext } from '@heirloom/core'
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
        ...inner,
        open: async (sealed, context) => {
          const opened = await inner.open(sealed, context)
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
        ...inner,
        seal: async (document, context) => {
          const bundle = await inner.seal(document, context)
          return { ...bundle, contentHash: sha256(bundle.sealed) }
        },
      }
    },
  },
  {
    law: 'names the content as sha256 of the salt and the document',
    fault: 'puts the salt behind the document',
    open: async () => {
      const inner = memoryCipher()
      const open: Cipher['open'] = async (sealed, context) => {
        const opened = await inner.open(sealed, context)
        return { ...opened, contentHash: sha256(opened.document, saltBytes(opened)) }
      }
      const seal: Cipher['seal'] = async (document, context) => {
        const bundle = await inner.seal(document, context)
        return { ...bundle, contentHash: (await open(bundle.sealed, context)).contentHash }
      }
      return { ...inner, seal, open }
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
      return framed(inner, {
        before: 4,
        frame: (sealed, document) => Buffer.concat([lengthOf(sealed), sealed, document]),
        unframe: async (bytes, context) => {
          const end = 4 + bytes.readUInt32BE(0)
          if (end > bytes.length) throw unreadable()
          const sealed = bytes.subarray(4, end)
          const { document } = await inner.open(sealed, context)
          if (Buffer.compare(document, bytes.subarray(end)) !== 0) throw unreadable()
          return sealed
        },
      })
    },
  },
  {
    law: 'refuses a sealed bundle with one bit changed with `bundle/unreadable`',
    fault: 'does not look at its first bytes',
    open: async () =>
      framed(memoryCipher(), {
        before: 64,
        frame: (sealed) => Buffer.concat([Buffer.alloc(64), sealed]),
        unframe: async (bytes) => bytes.subarray(64),
      }),
  },
  {
    law: 'refuses a sealed bundle cut short or prolonged with `bundle/unreadable`',
    fault: 'does not look behind its end',
    open: async () =>
      framed(memoryCipher(), {
        before: 4,
        frame: (sealed) => Buffer.concat([lengthOf(sealed), sealed]),
        unframe: async (bytes) => {
          const end = 4 + bytes.readUInt32BE(0)
          if (end > bytes.length) throw unreadable()
          return bytes.subarray(4, end)
        },
      }),
  },
  {
    law: 'refuses bytes it did not seal with `bundle/unreadable`',
    fault: 'takes what has no mark for an old plain document',
    open: async () => {
      const inner = memoryCipher()
      const marked = framed(inner, {
        before: mark.length,
        frame: (sealed) => Buffer.concat([mark, sealed]),
        unframe: async (bytes) => {
          if (!bytes.subarray(0, mark.length).equals(mark)) throw unreadable()
          return bytes.subarray(mark.length)
        },
      })
      const sealedAnew = async (bytes: Uint8Array, context: SealContext) =>
        (await inner.seal(bytes, context)).sealed
      return {
        ...marked,
        open: async (bytes, context) =>
          isAlmostMarked(bytes)
            ? marked.open(bytes, context)
            : inner.open(await sealedAnew(bytes, context), context),
      }
    },
  },
  {
    law: 'refuses parts of several sealed bundles put together with `bundle/unreadable`',
    fault: 'seals a head that vouches for nothing behind it',
    open: async () => {
      const inner = memoryCipher()
      return {
        ...inner,
        seal: async (document, context) => {
          const head = await inner.seal(new Uint8Array(), context)
          const body = await inner.seal(document, context)
          const parts = [lengthOf(head.sealed), head.sealed, body.sealed]
          const headLength = 4 + head.sealed.length
          return { ...body, headLength, sealed: Uint8Array.from(Buffer.concat(parts)) }
        },
        open: async (bytes, context) => {
          if (bytes.length < 4) throw unreadable()
          const end = 4 + Buffer.from(bytes).readUInt32BE(0)
          await inner.open(bytes.slice(4, end), context)
          return inner.open(bytes.slice(end), context)
        },
        contextOf: (bytes) => {
          if (bytes.length < 116) throw unreadable()
          return inner.contextOf(bytes.subarray(4))
        },
      }
    },
  },
  {
    law: 'refuses to open in another context with `access/copied`',
    fault: 'opens in every context',
    open: async () => {
      const inner = memoryCipher()
      const open: Cipher['open'] = async (sealed) => inner.open(sealed, inner.contextOf(sealed))
      return { ...inner, open }
    },
  },
  {
    law: 'shows the context that a bundle was sealed for',
    fault: 'shows one chain for all',
    open: async () => {
      const inner = memoryCipher()
      const contextOf: Cipher['contextOf'] = (head) => {
        const { registry, creator } = inner.contextOf(head)
        return { creator, registry: { ...registry, chainId: 1 } }
      }
      return { ...inner, contextOf }
    },
  },
  {
    law: 'shows the context in the head alone, and no context in other bytes',
    fault: 'shows for every other bytes what it showed before',
    open: async () => {
      const inner = memoryCipher()
      let shown: SealContext | undefined
      const contextOf: Cipher['contextOf'] = (head) => {
        try {
          shown = inner.contextOf(head)
        } catch (error) {
          if (shown === undefined) throw error
        }
        return shown
      }
      return { ...inner, contextOf }
    },
  },
]

const mark = Buffer.from('heirloom')

/** A flipped bit, or an end that is missing, is no reason to take bytes for old ones. */
function isAlmostMarked(bytes: Uint8Array): boolean {
  const differing = mark.subarray(0, bytes.length).filter((byte, at) => byte !== bytes[at])
  return differing.length <= 1
}

type Frame = {
  /** How many bytes the frame puts before what was sealed. */
  readonly before: number
  readonly frame: (sealed: Uint8Array, document: Uint8Array) => Uint8Array
  readonly unframe: (bytes: Buffer, context: SealContext) => Promise<Uint8Array>
}

/** Returns a cipher that puts what it sealed into a frame. */
function framed(inner: Cipher, { before, frame, unframe }: Frame): Cipher {
  return {
    seal: async (document, context) => {
      const { sealed, headLength, contentHash } = await inner.seal(document, context)
      const bytes = Uint8Array.from(frame(sealed, document))
      return { sealed: bytes, headLength: before + headLength, contentHash }
    },
    open: async (bytes, context) => {
      if (bytes.length < 4) throw unreadable()
      return inner.open(await unframe(Buffer.from(bytes), context), context)
    },
    contextOf: (head) => inner.contextOf(head.subarray(before)),
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
