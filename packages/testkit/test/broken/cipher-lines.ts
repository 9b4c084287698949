import { type Cipher, type Digest, digest } from '@heirloom/core'
import { memoryCipher } from '../../src/fakes/cipher.ts'
import type { Broken } from './faulty-harness.ts'
import { unreadable } from './framed-cipher.ts'

const anyPack: Digest = digest(`0x${'8'.repeat(64)}`)

/** Broken ciphers for the laws of lines. */
export const brokenLines: readonly Broken<Cipher>[] = [
  {
    law: 'opens each version of a line to its bytes',
    fault: 'seals the last version again',
    open: async () => {
      const inner = memoryCipher()
      const lastOf = async (
        previous: Digest,
        [, context, { blobs }]: Parameters<Cipher['seal']>,
      ) => {
        const sealed = await blobs.get(previous).catch(() => undefined)
        return sealed && inner.open(sealed, context, blobs).catch(() => undefined)
      }
      const seal: Cipher['seal'] = async (document, context, options) => {
        const previous = options.line?.previous
        const last = previous && (await lastOf(previous, [document, context, options]))
        return inner.seal(last?.document ?? document, context, options)
      }
      return { ...inner, seal }
    },
  },
  {
    law: 'shares packs with versions of the same creator and name alone',
    fault: 'shares one pack with everybody',
    open: async () => {
      const inner = memoryCipher()
      const long = new Set<string>()
      const nameOf = (head: Uint8Array) => inner.inspect(head).contentHash
      const seal: Cipher['seal'] = async (...input) => {
        const bundle = await inner.seal(...input)
        const [, , { line }] = input
        if (line !== undefined) long.add(nameOf(bundle.sealed))
        return bundle
      }
      const inspect: Cipher['inspect'] = (head) => {
        const seal = inner.inspect(head)
        return { ...seal, packs: long.has(nameOf(head)) ? [anyPack] : [] }
      }
      return { ...inner, seal, inspect }
    },
  },
  {
    law: 'seals the next version of a line also without the last one',
    fault: 'requires the last version',
    open: async () => {
      const inner = memoryCipher()
      const seal: Cipher['seal'] = async (document, context, options) => {
        const previous = options.line?.previous
        if (previous !== undefined) {
          const sealed = await options.blobs.get(previous)
          if (sealed.length < 32) throw unreadable()
        }
        return inner.seal(document, context, options)
      }
      return { ...inner, seal }
    },
  },
]
