import { Failure } from '@heirloom/core'

/** Returns the failure of opening; `problem` states the kind of damage, and no content. */
export const unreadable = (problem: string): Failure<'bundle/unreadable'> =>
  new Failure('bundle/unreadable', { problem })
