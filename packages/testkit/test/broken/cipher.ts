import { type Cipher, itemsOf, type Seal, type SealContext, wholeDocument } from '@heirloom/core'
import { memoryBlobStore } from '../../src/fakes/blob-store.ts'
import { memoryCipher } from '../../src/fakes/cipher.ts'
import { brokenLines } from './cipher-lines.ts'
import type { Broken } from './faulty-harness.ts'
import {
  lengthOf,
  readerThrough,
  saltBytes,
  sha256,
  unreadable,
  withAuthenticHeads,
  withFrame,
} from './framed-cipher.ts'

/** A broken cipher for each law. */
export const brokenCiphers: readonly Broken<Cipher>[] = [
  {
    law: 'opens a sealed document to the same bytes',
    fault: 'truncates long documents',
    open: async () => {
      const inner = memoryCipher()
      return {
        ...inner,
        open: async (sealed, context, blobs) => {
          const opened = await inner.open(sealed, context, blobs)
          // The laws of lines have documents of 200,000 bytes.
          const { length } = opened.document
          if (length <= 300 || length > 150_000) return opened
          const document = opened.document.slice(0, 300)
          return { ...opened, document, contentHash: sha256(saltBytes(opened), document) }
        },
      }
    },
  },
  {
    law: 'reads a sealed document in pieces with the same bytes',
    fault: 'reads the first half alone',
    open: async () => {
      const inner = memoryCipher()
      const reader: Cipher['reader'] = async (sealed, context, blobs) => {
        const { document, ...opened } = await inner.open(sealed, context, blobs)
        return { ...wholeDocument(document.slice(0, document.length >> 1)), ...opened }
      }
      return { ...inner, reader }
    },
  },
  {
    law: 'returns the same content hash when sealing and opening',
    fault: 'hashes the sealed bytes when sealing',
    open: async () => {
      const inner = memoryCipher()
      return withAuthenticHeads({
        ...inner,
        seal: async (document, context, options) => {
          const bundle = await inner.seal(document, context, options)
          return { ...bundle, contentHash: sha256(bundle.sealed) }
        },
      })
    },
  },
  {
    law: 'computes the content hash as sha256 of the salt and the document',
    fault: 'puts the salt behind the document',
    open: async () => {
      const inner = memoryCipher()
      const open: Cipher['open'] = async (sealed, context, blobs) => {
        const opened = await inner.open(sealed, context, blobs)
        return { ...opened, contentHash: sha256(opened.document, saltBytes(opened)) }
      }
      const seal: Cipher['seal'] = async (document, context, options) => {
        const bundle = await inner.seal(document, context, options)
        return {
          ...bundle,
          contentHash: (await open(bundle.sealed, context, options.blobs)).contentHash,
        }
      }
      return withAuthenticHeads({ ...inner, seal, open, reader: readerThrough(open) })
    },
  },
  {
    law: 'seals one document differently each time',
    fault: 'uses the same random bytes every time',
    open: async () => memoryCipher({ random: (length) => new Uint8Array(length) }),
  },
  {
    law: 'seals under the salt that is given',
    fault: 'draws a salt of its own',
    open: async () => {
      const inner = memoryCipher()
      return {
        ...inner,
        seal: (document, context, { salt: _, ...options }) =>
          inner.seal(document, context, options),
      }
    },
  },
  {
    law: 'reveals nothing of the document in the sealed bytes',
    fault: 'appends the document to the sealed bytes',
    open: async () => {
      const inner = memoryCipher()
      return withFrame(inner, {
        before: 4,
        frame: (sealed, document) => Buffer.concat([lengthOf(sealed), sealed, document]),
        unframe: async (bytes, context, blobs) => {
          const end = 4 + bytes.readUInt32BE(0)
          if (end > bytes.length) throw unreadable()
          const sealed = bytes.subarray(4, end)
          const { document } = await inner.open(sealed, context, blobs)
          if (Buffer.compare(document, bytes.subarray(end)) !== 0) throw unreadable()
          return sealed
        },
      })
    },
  },
  {
    law: 'refuses a sealed bundle with one changed bit with `bundle/unreadable`',
    fault: 'ignores the first bytes',
    open: async () =>
      withFrame(memoryCipher(), {
        before: 64,
        frame: (sealed) => Buffer.concat([Buffer.alloc(64), sealed]),
        unframe: async (bytes) => bytes.subarray(64),
      }),
  },
  {
    law: 'refuses a truncated or extended sealed bundle with `bundle/unreadable`',
    fault: 'ignores bytes after the end',
    open: async () =>
      withFrame(memoryCipher(), {
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
    law: 'refuses bytes that it did not seal with `bundle/unreadable`',
    fault: 'opens bytes without a magic number as a plain document',
    open: async () => {
      const inner = memoryCipher()
      const tagged = withFrame(inner, {
        before: magic.length,
        frame: (sealed) => Buffer.concat([magic, sealed]),
        unframe: async (bytes) => {
          if (!bytes.subarray(0, magic.length).equals(magic)) throw unreadable()
          return bytes.subarray(magic.length)
        },
      })
      const sealAgain = async (bytes: Uint8Array, context: SealContext) =>
        (await inner.seal(bytes, context, { blobs: memoryBlobStore() })).sealed
      const open: Cipher['open'] = async (bytes, context, blobs) =>
        isAlmostMagic(bytes)
          ? tagged.open(bytes, context, blobs)
          : inner.open(await sealAgain(bytes, context), context, blobs)
      return { ...tagged, open }
    },
  },
  {
    law: 'refuses a splice of several sealed bundles with `bundle/unreadable`',
    fault: 'does not authenticate the body with the head',
    open: async () => {
      const inner = memoryCipher()
      const open: Cipher['open'] = async (bytes, context, blobs) => {
        if (bytes.length < 4) throw unreadable()
        const end = 4 + Buffer.from(bytes).readUInt32BE(0)
        await inner.open(bytes.slice(4, end), context, blobs)
        return inner.open(bytes.slice(end), context, blobs)
      }
      return withAuthenticHeads({
        ...inner,
        seal: async (document, context, options) => {
          const body = await inner.seal(document, context, options)
          const { salt } = await inner.open(body.sealed, context, options.blobs)
          const head = await inner.seal(document, context, { ...options, salt })
          const parts = [lengthOf(head.sealed), head.sealed, body.sealed]
          const headLength = 4 + head.sealed.length
          return { ...body, headLength, sealed: Uint8Array.from(Buffer.concat(parts)) }
        },
        open,
        reader: readerThrough(open),
        sealedLength: inner.sealedLength,
        inspect: (bytes) => {
          if (bytes.length < 4 || Buffer.from(bytes).readUInt32BE(0) + 4 > bytes.length) {
            throw unreadable()
          }
          return inner.inspect(bytes.subarray(4))
        },
      })
    },
  },
  {
    law: 'refuses to open in another context with `access/copied`',
    fault: 'opens in every context',
    open: async () => {
      const inner = memoryCipher()
      const open: Cipher['open'] = async (sealed, _, blobs) =>
        inner.open(sealed, inner.inspect(sealed).context, blobs)
      return { ...inner, open }
    },
  },
  {
    law: 'returns the context and the content hash of a sealed bundle',
    fault: 'returns the chain id 1 for every bundle',
    open: async () => {
      const inner = memoryCipher()
      const inspect: Cipher['inspect'] = (head) => {
        const seal = inner.inspect(head)
        const { registry, creator } = seal.context
        return { ...seal, context: { creator, registry: { ...registry, chainId: 1 } } }
      }
      return { ...inner, inspect }
    },
  },
  {
    law: 'inspects a head without its bundle and refuses other bytes',
    fault: 'returns the last seal for invalid bytes',
    open: async () => {
      const inner = memoryCipher()
      let shown: Seal | undefined
      const inspect: Cipher['inspect'] = (head) => {
        try {
          shown = inner.inspect(head)
        } catch (error) {
          if (shown === undefined) throw error
        }
        return shown
      }
      return { ...inner, inspect }
    },
  },
  {
    law: 'never reports a changed head as authentic',
    fault: 'reports every readable head as authentic',
    open: async () => {
      const inner = memoryCipher()
      return { ...inner, inspect: (head) => ({ ...inner.inspect(head), isAuthentic: true }) }
    },
  },
  {
    law: 'returns the length of a sealed bundle by its head alone',
    fault: 'returns the length of the head',
    open: async () => {
      const inner = memoryCipher()
      const sealedLength: Cipher['sealedLength'] = async (head, context) => {
        await inner.sealedLength(head, context)
        return head.length
      }
      return { ...inner, sealedLength }
    },
  },
  {
    law: 'returns no length by a head that was changed or is of another context',
    fault: 'compares no context',
    open: async () => {
      const inner = memoryCipher()
      const sealedLength: Cipher['sealedLength'] = async (head) =>
        inner.sealedLength(head, inner.inspect(head).context)
      return { ...inner, sealedLength }
    },
  },
  {
    law: 'commits in the head to the items of a document under its salt',
    fault: 'has no root in its head',
    open: async () => {
      const inner = memoryCipher()
      const inspect: Cipher['inspect'] = (head) => {
        const { itemsRoot: _, ...seal } = inner.inspect(head)
        return seal
      }
      return { ...inner, inspect }
    },
  },
  {
    law: 'returns who saved a memory by an authentic head alone',
    fault: 'calls every line the own of whoever saved it',
    open: async () => {
      const inner = memoryCipher()
      const inspect: Cipher['inspect'] = (head) => {
        const { savedBy, ...seal } = inner.inspect(head)
        return { ...seal, ...(savedBy && { savedBy: { ...savedBy, hasOwnLine: true } }) }
      }
      return { ...inner, inspect }
    },
  },
  {
    law: 'shows the chosen excerpts in the head and refuses others with `excerpt/not-in-memory`',
    fault: 'ignores excerpts that are not in the memory',
    open: async () => {
      const inner = memoryCipher()
      const seal: Cipher['seal'] = (document, context, { excerpts = [], ...options }) => {
        const pointers = new Set(itemsOf(document)?.map(({ pointer }) => pointer))
        const known = excerpts.filter((pointer) => pointers.has(pointer))
        return inner.seal(document, context, { ...options, excerpts: known })
      }
      return { ...inner, seal }
    },
  },
  ...brokenLines,
]

const magic = Buffer.from('heirloom')

/** Returns whether bytes begin with the magic number, apart from one wrong or any missing bytes. */
function isAlmostMagic(bytes: Uint8Array): boolean {
  const differing = magic.subarray(0, bytes.length).filter((byte, at) => byte !== bytes[at])
  return differing.length <= 1
}
