import { expect, test } from 'vitest'
import { countRefusals } from './copy-messages.ts'

test('refusals are counted, and reported once an hour for each peer', () => {
  const seen: string[] = []
  let at = 0
  const refusals = countRefusals(
    ({ peer }) => seen.push(peer),
    () => at,
  )
  const refuse = (peer: string) => refusals.add({ peer, bytes: 1, limit: 1 })
  for (const peer of ['one', 'one', 'two', 'one']) refuse(peer)
  at += 3_599_999
  refuse('one')
  expect(seen).toEqual(['one', 'two'])
  at += 1
  refuse('one')
  expect(seen).toEqual(['one', 'two', 'one'])
  expect(refusals.counts()).toEqual(
    new Map([
      ['one', 5],
      ['two', 1],
    ]),
  )
})
