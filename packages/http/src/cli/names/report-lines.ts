import { tokenList } from '../keys/show-key-status.ts'
import type { Line } from '../terminal/output.ts'
import type { NameReport, RecoveryReport } from './recover-names.ts'

/** Describes what was recovered, or would be. */
export function reportLines({ dryRun, names, leftOut, unread }: RecoveryReport): readonly Line[] {
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
    ...(unread === 0
      ? []
      : [`The memories of ${countOf({ length: unread }, 'token')} cannot be read here.`]),
  ]
}

const reasons = {
  'made-anew': 'because the name began again after them',
  'moved-on': 'because the name had another next version',
} as const

const lefts = {
  different: 'has other versions here; it stays as it is',
  elsewhere: 'has another name here; nothing to do',
  held: 'is held by a save; start the server, read the name, stop it, and run this again',
} as const

function nameLine({ owner, name, versions, added, left }: NameReport): readonly Line[] {
  const of = `${name} of ${owner}`
  if (left !== undefined) return [warning(`${of} ${lefts[left]}.`)]
  if (added.length === 0)
    return [`${of} has all of its ${countOf({ length: versions }, 'version')}.`]
  return [`${of}: ${tokenList(added)}, of ${countOf({ length: versions }, 'version')}.`]
}

const countOf = ({ length }: { readonly length: number }, noun: string): string =>
  `${length} ${noun}${length === 1 ? '' : 's'}`

const warning = (text: string): Line => [{ style: 'yellow', text }]
