import { expect, test } from 'vitest'
import { isName } from './restore-name.ts'

const given = (FROM: string, TO?: string, options = {}) => isName({ words: { FROM, TO }, options })

test('what is restored is a name unless it is a path, a folder or a bucket', () => {
  for (const from of ['ada', 'ada@3', 'ada/trading', 'package.json']) {
    expect(given(from), from).toBe(true)
  }
  for (const from of ['./ada', '/tmp/ada', '~/ada', 's3://bucket/ada', 'packages']) {
    expect(given(from), from).toBe(false)
  }
})

test('a folder of the same name is no backup for what only names have', () => {
  expect(given('packages', 'out.json')).toBe(true)
  expect(given('packages', undefined, { version: '1' })).toBe(true)
  expect(given('packages', undefined, { 'as-wallet': true })).toBe(true)
})
