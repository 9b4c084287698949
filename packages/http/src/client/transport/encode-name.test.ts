import { isFailure, name } from '@heirloom/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openClientHarness } from '../../../test/client-harness.ts'
import { interceptingProxy } from '../../../test/intercepting-proxy.ts'
import { isHeirloomError } from '../heirloom-error.ts'
import { requireName } from './request-line.ts'

const isRefused = (act: () => unknown, isExpected: (error: unknown) => boolean): boolean => {
  try {
    act()
    return false
  } catch (error) {
    if (isExpected(error)) return true
    throw error
  }
}

const byClient = (text: string) =>
  isRefused(
    () => requireName(text),
    (error) => isHeirloomError(error, 'name/malformed'),
  )
const byServer = (text: string) =>
  isRefused(
    () => name(text),
    (error) => isFailure(error, 'name/malformed'),
  )

const letters = fc.constantFrom(...'ab9_.-/Aé', 'e\u0301', 'ﬁ', ' ', '\ud800', '\u202e', 'ş', 'Σ')
const texts = fc.oneof(
  fc.string({ unit: letters, maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.integer({ min: 60, max: 132 }).map((length) => 'a'.repeat(length)),
  fc.integer({ min: 60, max: 132 }).map((length) => `${'a/'.repeat(length / 2)}a`),
)

test('refuses no name that the server accepts', () => {
  fc.assert(fc.property(texts, (text) => !byClient(text) || byServer(text)))
})

test('refuses each plain text that the server refuses', () => {
  const plain = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'ab9_.-/A '), maxLength: 12 }),
    fc.integer({ min: 60, max: 70 }).map((length) => 'a'.repeat(length)),
    fc.integer({ min: 120, max: 140 }).map((length) => `${'a/'.repeat(length / 2)}a`),
    fc.constant('e\u0301'),
  )
  fc.assert(fc.property(plain, (text) => byClient(text) === byServer(text)))
})

test('a malformed name fails at once, and names the text', async () => {
  const { url, clientAt } = await openClientHarness()
  await using network = await interceptingProxy(url)
  const client = clientAt({ url: network.url })
  for (const text of ['a//b', '', 'Ada', '/ada', 'a b', 'x'.repeat(129)]) {
    expect(() => client.memory(text), text).toThrow(
      expect.objectContaining({ code: 'name/malformed' }),
    )
  }
  expect(() => client.memory('a//b')).toThrow(
    'The name "a//b" has an empty segment, by a slash at an end or two in a row; write it like ada',
  )
  expect(network.requests).toEqual([])
  await client.memory('ada/trading').latest()
  expect(network.requests.filter(({ path }) => path.startsWith('/api/names'))).toHaveLength(1)
})
