import { describe, expect, test } from 'vitest'
import { joinEvents } from './activity.tsx'

const page = (ids: string, next: string | null) => ({
  items: [...ids].map((id) => ({ id })),
  next,
})

describe('the newest events, loaded again', () => {
  test('come before those that were loaded after them', () => {
    expect(joinEvents(page('cdefgh', 'h'), page('abcd', 'd'))).toEqual(page('abcdefgh', 'h'))
    expect(joinEvents(page('abcdef', null), page('abc', 'c'))).toEqual(page('abcdef', null))
  })

  test('are all of it where nothing more was loaded, or where there is no more', () => {
    expect(joinEvents(undefined, page('ab', 'b'))).toEqual(page('ab', 'b'))
    expect(joinEvents(page('ab', 'b'), page('ab', 'b'))).toEqual(page('ab', 'b'))
    expect(joinEvents(page('abc', 'c'), page('', null))).toEqual(page('', null))
  })

  test('stand alone where they do not reach what was loaded before', () => {
    expect(joinEvents(page('efgh', 'h'), page('abcd', 'd'))).toEqual(page('abcd', 'd'))
  })

  test('leave what was found farther back than they reach', () => {
    expect(joinEvents(page('yz', 'z'), page('', 'm'))).toEqual(page('yz', 'z'))
  })
})
