import { day } from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import type { Actor, Pick } from './arbitrary-story.ts'

/** A party by its index. */
type PartyIndex = 0 | 1 | 2 | 3

/** A command of an account for its heir, or as an heir. */
export type HeirCommand =
  | {
      readonly verb: 'nameHeir'
      readonly who: Actor
      readonly heir: PartyIndex | 'nobody' | undefined
      readonly silenceDays: number
      readonly noticeDays: number
    }
  | { readonly verb: 'heartbeat'; readonly who: Actor }
  /** Announces or takes over as the heir of a party, if it has one, and else as another party. */
  | { readonly verb: 'announceTakeover'; readonly of: PartyIndex; readonly asHeir: boolean }
  | {
      readonly verb: 'takeOver'
      readonly of: PartyIndex
      readonly asHeir: boolean
      /** The number of tokens of the party to take, and any others. */
      readonly count: number
      readonly others: readonly Pick[]
    }

type Parts = { readonly who: Arbitrary<Actor>; readonly token: Arbitrary<Pick> }

const party = fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const)
const days = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(30, 31, 60) },
  { weight: 1, arbitrary: fc.constantFrom(0, 29, 3650, 3651) },
)
const asHeir = fc.oneof(
  { weight: 8, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
)

/** Returns the commands of heirs, each with its weight. */
export const heirCommands = ({ who, token }: Parts) => {
  const naming = fc.record<Extract<HeirCommand, { verb: 'nameHeir' }>>({
    verb: fc.constant('nameHeir'),
    who,
    silenceDays: days,
    noticeDays: days,
    heir: fc.oneof(
      { weight: 12, arbitrary: party },
      { weight: 1, arbitrary: fc.constantFrom('nobody' as const, undefined) },
    ),
  })
  const heartbeat = fc.record<Extract<HeirCommand, { verb: 'heartbeat' }>>({
    verb: fc.constant('heartbeat'),
    who,
  })
  const announcement = fc.record<Extract<HeirCommand, { verb: 'announceTakeover' }>>({
    verb: fc.constant('announceTakeover'),
    of: party,
    asHeir,
  })
  const takeover = fc.record<Extract<HeirCommand, { verb: 'takeOver' }>>({
    verb: fc.constant('takeOver'),
    of: party,
    asHeir,
    count: fc.nat({ max: 3 }),
    others: fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(token, { minLength: 1, maxLength: 2 }) },
    ),
  })
  return [
    { weight: 3, arbitrary: naming },
    { weight: 1, arbitrary: heartbeat },
    { weight: 3, arbitrary: announcement },
    { weight: 3, arbitrary: takeover },
  ] as const
}

type AnyCommand = HeirCommand | { readonly verb: 'wait'; readonly milliseconds: number }

/**
 * An inheritance from its beginning to its end, which few random stories would reach: by an heir that
 * waits, or by one that tries too early and twice.
 */
export const inheritance: Arbitrary<readonly AnyCommand[]> = fc
  .record({
    of: party,
    by: party,
    count: fc.integer({ min: 1, max: 3 }),
    isHasty: fc.boolean(),
  })
  .map(({ of, by, count, isHasty }) => {
    const wait = { verb: 'wait', milliseconds: 31 * day } as const
    const announcement = { verb: 'announceTakeover', of, asHeir: true } as const
    const takeover = { verb: 'takeOver', of, asHeir: true, count, others: [] } as const
    return [
      { verb: 'nameHeir', who: of, heir: by, silenceDays: 30, noticeDays: 30 },
      ...(isHasty ? [announcement, takeover] : []),
      wait,
      ...(isHasty ? [announcement] : []),
      announcement,
      takeover,
      wait,
      { ...takeover, others: ['newest'] },
      takeover,
    ]
  })
