import { entropyToMnemonic, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasChecksum } from './find-recovery-phrases.ts'

const placesOf = (phrase: string) => phrase.split(' ').map((word) => wordlist.indexOf(word))

const phrase = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  .map((entropy) => entropyToMnemonic(entropy, wordlist))

test('the checksum of a phrase is right, and of one with another word as often as the library says', () => {
  const place = fc.nat(2047)
  fc.assert(
    fc.property(phrase, fc.nat(23), place, (text, at, other) => {
      const places = placesOf(text)
      expect(hasChecksum(places)).toBe(true)
      const changed = places.with(at % places.length, other)
      const words = changed.map((index) => wordlist[index]).join(' ')
      expect(hasChecksum(changed)).toBe(validateMnemonic(words, wordlist))
    }),
    { seed: 5, numRuns: 500 },
  )
})
