import type { Heir } from '../../client/responses.ts'
import type { Line } from './output.ts'
import { rows, timeText } from './value-text.ts'

/** Describes who takes over the tokens of an account, and when, and whose heir it is. */
export function heirText(it: Heir): readonly Line[] {
  const named = (it.heirOf ?? []).map((account) => ['Heir of', account] as const)
  const more = it.next ? ([['', `and more: --after ${it.next}`]] as const) : []
  const heirOf = [...named, ...more]
  if (it.heir === null) return rows([['Account', it.account], ['Heir', 'none'], ...heirOf])
  return rows([
    ['Account', it.account],
    ['Heir', it.heir],
    ['Silence', `${it.silenceDays} days, since the last sign of life on ${time(it.lastSignAt)}`],
    ['Notice', `${it.noticeDays} days, from the announcement to the takeover`],
    ['State', stateText(it)],
    ...heirOf,
  ])
}

function stateText({ state, silentAt, takeoverAt }: Heir): string {
  const notBefore = `the takeover is possible from ${time(takeoverAt)} at the earliest`
  const texts: { readonly [state in Heir['state']]: string } = {
    none: 'none',
    active: `active: the heir may announce from ${time(silentAt)}; ${notBefore}`,
    silent: `silent: the heir may announce now; ${notBefore}`,
    announced: `announced: the heir may take over from ${time(takeoverAt)}, unless the account gives a sign of life`,
    due: `due: the heir may take over now, unless the account gives a sign of life`,
  }
  return texts[state]
}

const time = (seconds: string | null) => (seconds === null ? 'never' : timeText(seconds))
