import type { KeyService } from '@heirloom/core'
import { memoryKeyService } from '../../src/fakes/key-service.ts'
import { walletKeys } from '../../src/harness.ts'
import type { Broken } from './faulty-harness.ts'

/** A broken key service for each law. */
export const brokenKeyServices: readonly Broken<KeyService>[] = [
  {
    law: 'returns one public key, a point of the curve',
    fault: 'shows another key from the second time on',
    open: async () => {
      const [inner, other] = [memoryKeyService(), memoryKeyService(walletKeys[1])]
      let reads = 0
      return { ...inner, publicKey: () => (reads++ === 0 ? inner : other).publicKey() }
    },
  },
  {
    law: 'signs every digest with that key',
    fault: 'drops the zeros before a digest',
    open: async () => {
      const inner = memoryKeyService()
      return { ...inner, sign: (digest) => inner.sign(withoutZeros(digest)) }
    },
  },
  {
    law: 'signs digests that come at the same time, each for itself',
    fault: 'signs the last digest for all that wait',
    open: async () => {
      const inner = memoryKeyService()
      let last = new Uint8Array()
      return {
        ...inner,
        sign: async (digest) => {
          last = Uint8Array.from(digest)
          await Promise.resolve()
          return inner.sign(last)
        },
      }
    },
  },
]

function withoutZeros(digest: Uint8Array): Uint8Array {
  const bytes = digest.subarray(digest.findIndex((byte) => byte !== 0))
  const moved = new Uint8Array(32)
  moved.set(bytes)
  return moved
}
