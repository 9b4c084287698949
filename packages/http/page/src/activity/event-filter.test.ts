import { eventKinds } from '@heirloom/core'
import { expect, test } from 'vitest'
import { eventChoices, parseEventChoice } from './activity.tsx'

test('every kind of event can be chosen, once', () => {
  const chosen = Object.values(eventChoices).flatMap(({ kinds }) => kinds)
  expect(chosen.toSorted()).toEqual(eventKinds.toSorted())
})

test('an address chooses an offered kind, or all', () => {
  expect(['?kind=sale', '?kind=toString', '?kind=', ''].map(parseEventChoice)).toEqual([
    'sale',
    undefined,
    undefined,
    undefined,
  ])
})
