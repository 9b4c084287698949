import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Cipher } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBlob } from '../arbitraries/bytes.ts'
import type { Law } from './law.ts'
import { refuses } from './refuses.ts'

const small = fc.uint8Array({ maxLength: 300 })
const tail = fc.uint8Array({ minLength: 1, maxLength: 40 })

/** Long enough a text that finding a part of it in sealed bytes is no coincidence. */
const secret = fc
  .tuple(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.integer({ min: 1, max: 200 }))
  .map(([bytes, times]) => `{"secret":"${bytes.join('-')} ${bytes.join('+').repeat(times)}"}`)
const glimpse = 12

/** What every `Cipher` keeps. */
export const cipherLaws: readonly Law<Cipher>[] = [
  {
    name: 'opens what it sealed to the same bytes',
    holds: (cipher) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, async (document) => {
          const { sealed } = await cipher.seal(document)
          const opened = await cipher.open(sealed)
          assert.equal(Buffer.compare(opened.document, document), 0)
        }),
      ),
  },
  {
    name: 'names the same content when sealing and opening',
    holds: (cipher) =>
      fc.assert(
        fc.asyncProperty(small, async (document) => {
          const { sealed, contentHash } = await cipher.seal(document)
          assert.equal((await cipher.open(sealed)).contentHash, contentHash)
        }),
      ),
  },
  {
    name: 'names the content as sha256 of the salt and the document',
    holds: (cipher) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, async (document) => {
          const opened = await cipher.open((await cipher.seal(document)).sealed)
          const salt = Buffer.from(opened.salt.slice(2), 'hex')
          const sum = createHash('sha256').update(salt).update(opened.document).digest('hex')
          assert.equal(opened.contentHash, `0x${sum}`)
        }),
      ),
  },
  {
    name: 'seals one document differently each time',
    holds: (cipher) =>
      fc.assert(
        fc.asyncProperty(small, async (document) => {
          const [one, other] = [await cipher.seal(document), await cipher.seal(document)]
          assert.notEqual(Buffer.compare(one.sealed, other.sealed), 0)
          assert.notEqual(one.contentHash, other.contentHash)
        }),
      ),
  },
  {
    name: 'shows nothing of the document in what it sealed',
    holds: (cipher) =>
      fc.assert(
        fc.asyncProperty(secret, fc.nat(), async (text, start) => {
          const document = Buffer.from(text)
          const sealed = Buffer.from((await cipher.seal(document)).sealed)
          for (let at = start % glimpse; at + glimpse <= document.length; at += glimpse) {
            assert.equal(sealed.indexOf(document.subarray(at, at + glimpse)), -1)
          }
        }),
      ),
  },
  {
    name: 'refuses a sealed bundle with one bit changed with `bundle/unreadable`',
    holds: (cipher) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, fc.nat(), async (document, where) => {
          const changed = (await cipher.seal(document)).sealed.slice()
          const bit = where % (changed.length * 8)
          changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          await refuses('bundle/unreadable', cipher.open(changed))
        }),
      ),
  },
  {
    name: 'refuses a sealed bundle cut short or prolonged with `bundle/unreadable`',
    holds: (cipher) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, fc.nat(), tail, async (document, where, more) => {
          const { sealed } = await cipher.seal(document)
          const cut = sealed.slice(0, where % sealed.length)
          await refuses('bundle/unreadable', cipher.open(cut))
          const prolonged = Uint8Array.from(Buffer.concat([sealed, more]))
          await refuses('bundle/unreadable', cipher.open(prolonged))
        }),
      ),
  },
  {
    name: 'refuses bytes it did not seal with `bundle/unreadable`',
    holds: (cipher) =>
      fc.assert(
        fc.asyncProperty(arbitraryBlob, (bytes) =>
          refuses('bundle/unreadable', cipher.open(bytes)),
        ),
      ),
  },
]
