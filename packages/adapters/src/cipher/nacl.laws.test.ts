import { randomBytes } from 'node:crypto'
import { cipherLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { naclCipher, sealingKeyRing } from './nacl.ts'
import { loadSecretbox, tweetnaclSecretbox } from './secretbox.ts'

const keyed = { documentLimit: 64 * 2 ** 20 }
const open = async (settings: Partial<naclCipher.Input>) =>
  naclCipher({ ...keyed, keys: sealingKeyRing([randomBytes(32)]), ...settings })

for (const secretbox of [loadSecretbox(), tweetnaclSecretbox()]) {
  describeLaws(`NaCl cipher on ${secretbox.name}`, cipherLaws, { open: () => open({ secretbox }) })
}

describeLaws('NaCl cipher that seals in one blob', cipherLaws, {
  open: () => open({ isInParts: () => false }),
})
