import { Failure } from '@heirloom/core'

/** Makes the one failure of opening; `problem` tells the kind of damage and nothing of the content. */
export const unreadable = (problem: string): Failure<'bundle/unreadable'> =>
  new Failure('bundle/unreadable', { problem })
