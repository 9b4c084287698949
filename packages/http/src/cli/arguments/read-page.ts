import type { Call, Options } from './command.ts'
import { omitUndefined } from './omit-undefined.ts'
import { readCount } from './read-count.ts'

/** The options of every command that shows one page of results. */
export const pageOptions = {
  limit: { type: 'string', value: 'N', about: 'The number of results, 1 to 100. Default: 20.' },
  after: { type: 'string', value: 'CURSOR', about: 'Continue after an earlier page.' },
} as const satisfies Options

/** Reads the options of a page. @throws a `UsageError` */
export const readPage = ({ limit, after }: Call<never, typeof pageOptions>['options']) =>
  omitUndefined({ after, limit: readCount('--limit', limit, { least: 1, most: 100 }) })

/** Returns the line that says how to see the next page, if there is one. */
export const moreLine = (next: string | null): readonly string[] =>
  next === null ? [] : [`More with --after ${next}`]
