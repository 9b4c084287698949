import { randomBytes } from 'node:crypto'
import { cipherLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { naclCipher, sealingKeyRing } from './nacl.ts'
import { loadSecretbox, tweetnaclSecretbox } from './secretbox.ts'

for (const secretbox of [loadSecretbox(), tweetnaclSecretbox()]) {
  describeLaws(`NaCl cipher on ${secretbox.name}`, cipherLaws, {
    open: async () =>
      naclCipher({
        keys: sealingKeyRing([randomBytes(32)]),
        documentLimit: 64 * 2 ** 20,
        secretbox,
      }),
  })
}
