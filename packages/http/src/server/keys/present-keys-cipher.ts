import { readHeader } from '@heirloom/adapters/cipher'
import { type Cipher, Failure } from '@heirloom/core'
import type { ServerKeys } from './open-keys.ts'

/** The keys that decide which bundles may be opened. */
type Keys = Pick<ServerKeys, 'find' | 'facts' | 'refreshUnknown'>

/**
 * Returns a cipher that opens a bundle only while its sealing key is present, also if the bundle is
 * in the decrypted cache. An unknown key may be new: the keys are refreshed before the refusal.
 */
export function presentKeysCipher(cipher: Cipher, keys: Keys): Cipher {
  // The decrypted cache returns the same bytes again, whose header then needs no second reading.
  const keyIds = new WeakMap<Uint8Array, Uint8Array>()
  const keyIdOf = (sealed: Uint8Array): Uint8Array => {
    const known = keyIds.get(sealed)
    if (known !== undefined) return known
    const { sealingKeyId } = readHeader(sealed)
    keyIds.set(sealed, sealingKeyId)
    return sealingKeyId
  }
  const requireKey = async (sealed: Uint8Array) => {
    const id = keyIdOf(sealed)
    if (keys.find(id) !== undefined) return
    await keys.refreshUnknown()
    if (keys.find(id) === undefined) throw absent(keys, id)
  }
  return {
    // Without a spread: a new method that opens bundles must check their keys too.
    seal: cipher.seal,
    inspect: cipher.inspect,
    sealedLength: async (head, context) => {
      await requireKey(head)
      return cipher.sealedLength(head, context)
    },
    open: async (sealed, context, blobs) => {
      await requireKey(sealed)
      return cipher.open(sealed, context, blobs)
    },
    reader: async (sealed, context, blobs) => {
      await requireKey(sealed)
      return cipher.reader(sealed, context, blobs)
    },
  }
}

function absent(keys: Keys, bytes: Uint8Array): Failure {
  const id = Buffer.from(bytes).toString('hex')
  const isDestroyed = keys.facts().some((it) => it.id === id && it.state === 'destroyed')
  const fate = isDestroyed ? 'was destroyed' : 'is not here'
  return new Failure('bundle/unreadable', {
    problem: `it was sealed under the key ${id}, which ${fate}`,
  })
}
