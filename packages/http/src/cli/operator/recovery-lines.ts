import type { StoredLine } from '@heirloom/adapters/internal/name-recovery'
import type { LeftOutLine, RecoveredLine, TokenId } from '@heirloom/core'
import type { Line } from '../terminal/output.ts'
import { tokenList } from './keys/show-key-status.ts'

/** A name with what was added to it, or would be. */
export type NameReport = RecoveredLine['of'] & {
  readonly versions: number
  readonly added: readonly TokenId[]
  /** Those of them that others saved by a grant; absent where there are none. */
  readonly byGrant?: readonly TokenId[]
  /** The number of grants of the name that ended; absent where none did. */
  readonly endedGrants?: number
  /** The reason why nothing was compared or added. */
  readonly left?: Exclude<StoredLine['kind'], 'begun'>
}

/** The names that were found, and what of the chain is in none. */
export type RecoveryReport = {
  readonly dryRun: boolean
  readonly names: readonly NameReport[]
  readonly leftOut: readonly LeftOutLine[]
  /** The number of memories that were erased; copies of one by others are one. */
  readonly erased: number
  /** The number of other memories whose bundles cannot be read here. */
  readonly unread: number
}

/** Describes what was recovered, or would be. */
export function reportLines({
  dryRun,
  names,
  leftOut,
  ...counts
}: RecoveryReport): readonly Line[] {
  const added = names.flatMap((it) => it.added)
  const sum = `${countOf(added, 'version')} to ${countOf(
    names.filter((it) => it.added.length > 0),
    'name',
  )}`
  return [
    dryRun ? `Dry run: it would add ${sum}.` : `Added ${sum}.`,
    ...names.flatMap((it) => nameLine(it)),
    ...leftOut.map(({ of, versions, reason }) =>
      warning(`${of.name} of ${of.owner}: ${tokenList(versions)} left out, ${reasons[reason]}.`),
    ),
    ...unreadLines(counts),
  ]
}

/** Says how many memories were not read, and why. What was erased is no loss that can be repaired. */
function unreadLines({ erased, unread }: Pick<RecoveryReport, 'erased' | 'unread'>) {
  const gone = `${memories(erased, 'was', 'were')} erased; a log has one where a later version follows it.`
  const missing = `${memories(unread, 'is', 'are')} not stored here, damaged, or sealed under a key that is missing; heirloom doctor says more about your own.`
  return [...(erased === 0 ? [] : [gone]), ...(unread === 0 ? [] : [warning(missing)])]
}

const memories = (count: number, one: string, several: string): string =>
  count === 1 ? `One memory ${one}` : `${count} memories ${several}`

const reasons = {
  'made-anew': 'because the name began again after them',
  'moved-on': 'because the name had another next version',
} as const

const lefts = {
  different: 'has other versions here; it stays as it is',
  elsewhere: 'has another name here; nothing to do',
  held: 'is held by a save; start the server, read the name, stop it, and run this again',
} as const

function nameLine({ owner, name, versions, added, left, ...it }: NameReport): readonly Line[] {
  const of = `${name} of ${owner}`
  if (left !== undefined) return [warning(`${of} ${lefts[left]}.`)]
  if (added.length === 0)
    return [`${of} has all of its ${countOf({ length: versions }, 'version')}.`]
  const { endedGrants = 0, byGrant = [] } = it
  const granted = byGrant.length === 0 ? '' : ` Saved by a grant: ${tokenList(byGrant)}.`
  const ended = endedGrants === 0 ? '' : ` ${countOf({ length: endedGrants }, 'grant')} ended.`
  return [
    `${of}: ${tokenList(added)}, of ${countOf({ length: versions }, 'version')}.${granted}${ended}`,
  ]
}

const countOf = ({ length }: { readonly length: number }, noun: string): string =>
  `${length} ${noun}${length === 1 ? '' : 's'}`

const warning = (text: string): Line => [{ style: 'yellow', text }]
