import { expect, test } from 'vitest'
import { findDestination } from './browse-query.ts'

test.each(['5', '#5', '# 5', 'No. 5', 'no 5', ' NO.5 '])('%j names a token', (search) => {
  expect(findDestination(search)).toEqual({ path: '/token/5', name: 'No. 5' })
})

test('a whole address names an account', () => {
  const address = `0x${'aB'.repeat(20)}`
  expect(findDestination(address)).toEqual({
    path: `/account/${address}`,
    name: `the account ${address}`,
  })
})

test.each(['', '0', '05', '5 lessons', 'number 5', '0x12', `0x${'g'.repeat(40)}`, '1'.repeat(79)])(
  '%j names no page',
  (search) => {
    expect(findDestination(search)).toBeUndefined()
  },
)
