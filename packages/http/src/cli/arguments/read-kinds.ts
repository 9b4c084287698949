import { type EventKind, eventKinds } from '@heirloom/core'
import { shownValue } from '../../api/shown-value.ts'
import { joinWords } from './read-call.ts'
import { UsageError } from './usage-error.ts'

/** Reads kinds of events, separated by commas. @throws a `UsageError` */
export const readKinds = (name: string, text: string): EventKind[] =>
  text.split(',').map((word) => readKind(name, word))

function readKind(name: string, text: string): EventKind {
  const known = eventKinds.find((it) => it === text)
  if (known !== undefined) return known
  const kinds = joinWords(eventKinds, 'or')
  throw new UsageError(
    `${name} must be ${kinds}, or several separated by commas${shownValue(text)}.`,
  )
}
