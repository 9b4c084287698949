import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NamedVersion } from '../client/responses.ts'
import { findSame } from './same-version.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Returns the reads of a name whose last version has a text. */
const readsOf = (text: string, more: Partial<NamedVersion> = {}) => {
  const documentBytes = encode(text).length
  const last = { version: 3, tokenId: '7', documentBytes, isTransferred: false, erasedAt: null }
  return {
    versions: async () => ({ items: [{ ...last, ...more } as NamedVersion] }),
    download: async () => ({ document: encode(text) }),
  }
}

test('a save changes nothing exactly where the bytes are those of the last version', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(text, text, async (last, document) => {
      const found = await findSame(readsOf(last), { document })
      expect(found?.unchanged ?? false).toBe(Buffer.from(encode(last)).equals(encode(document)))
    }),
  )
})

test('what another owns, what was erased, and what does not open is saved again', async () => {
  const saved = { document: 'a' }
  expect(await findSame(readsOf('a'), saved)).toMatchObject({ tokenId: '7', unchanged: true })
  expect(await findSame(readsOf('a'), { ...saved, after: '6' })).toBeUndefined()
  expect(await findSame(readsOf('a', { isTransferred: true }), saved)).toBeUndefined()
  expect(await findSame(readsOf('a', { erasedAt: '1' }), saved)).toBeUndefined()
  const closed = { ...readsOf('a'), download: () => Promise.reject(new Error('closed')) }
  expect(await findSame(closed, saved)).toBeUndefined()
})
