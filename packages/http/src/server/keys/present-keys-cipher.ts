import { readHeader } from '@heirloom/adapters/cipher'
import { type Cipher, Failure } from '@heirloom/core'
import type { ServerKeys } from './open-keys.ts'

/** The keys that decide what may be opened. */
type Keys = Pick<ServerKeys, 'find' | 'facts' | 'lookAgain'>

/**
 * Returns a cipher that opens only what is sealed under a key that is here now, whatever it opened
 * before: a memory in a cache is closed with its key. A key that another server made is looked up.
 */
export const withPresentKeys = (cipher: Cipher, keys: Keys): Cipher => ({
  ...cipher,
  open: async (sealed, context) => {
    const { sealingKeyId } = readHeader(sealed)
    if (keys.find(sealingKeyId) === undefined) {
      await keys.lookAgain()
      if (keys.find(sealingKeyId) === undefined) throw absent(keys, sealingKeyId)
    }
    return cipher.open(sealed, context)
  },
})

function absent(keys: Keys, bytes: Uint8Array): Failure {
  const id = Buffer.from(bytes).toString('hex')
  const isDestroyed = keys.facts().some((it) => it.id === id && it.state === 'destroyed')
  const fate = isDestroyed ? 'was destroyed' : 'is not here'
  return new Failure('bundle/unreadable', {
    problem: `it was sealed under the key ${id}, which ${fate}`,
  })
}
