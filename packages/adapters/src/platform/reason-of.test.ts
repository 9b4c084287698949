import { expect, test } from 'vitest'
import { reasonOf } from './error-words.ts'

test('is the message of an error, or of the first one of several', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:1')
  expect(reasonOf(refused)).toBe(refused.message)
  expect(reasonOf(new AggregateError([refused, new Error('later')]))).toBe(refused.message)
  expect(reasonOf(new AggregateError([], 'none'))).toBe('none')
})

test('is something for whatever was thrown', () => {
  expect([reasonOf('busy'), reasonOf(undefined), reasonOf(new Error(''))]).toEqual([
    ...['busy', 'undefined', 'Error'],
  ])
})
