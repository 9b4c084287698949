import { expect, test } from 'vitest'
import { isPlainName } from './account.tsx'

test.each([
  'ada.eth',
  'a-b_c.example.eth',
  'münchen.eth',
  'пример.eth',
  '例え.eth',
  '👩‍🚀.eth',
  '123.eth',
])('%j is written as it looks', (name) => expect(isPlainName(name)).toBe(true))

test.each([
  '',
  'eth',
  'ada..eth',
  'ada .eth',
  'ada\n.eth',
  'ada\u0000.eth',
  'ada\u202egro.eth',
  'a\u200bda.eth',
  'a\u200dda.eth',
  'pаypal.eth',
  'αda.eth',
  `${'a'.repeat(10_000)}.eth`,
  'ada.eth/../x',
  '<b>.eth',
])('%j may look like another', (name) => expect(isPlainName(name)).toBe(false))
