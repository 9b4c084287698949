import { type KeyFacts, problemOf, type SeenKeys } from '@heirloom/adapters/keys'
import { isFailure, type TokenId } from '@heirloom/core'
import { missingIn } from '../../server/keys/key-census.ts'
import { type KeySite, type Memories, memoriesOf, withKeySite } from './key-installation.ts'
import type { KeysCall } from './keys.ts'
import type { Line } from '../terminal/output.ts'

/** Lists the sealing keys; returns 1 when one is missing or does not open. */
export function keysStatus(call: KeysCall): Promise<number> {
  return withKeySite(call, 'look', async (site, seen) => {
    const { memories, uncounted } = await countedIn(site)
    const status = { ...statusOf(site, seen, memories), ...(uncounted && { uncounted }) }
    await call.output.answer({ value: status, lines: linesOf(site, status) })
    const isWhole = uncounted === undefined && status.missing.length === 0
    return isWhole && status.problem === undefined ? 0 : 1
  })
}

type Count = { readonly memories?: Memories; readonly uncounted?: string }

/** Counts the memories; says what is missing where that keeps it from counting. */
async function countedIn(site: KeySite): Promise<Count> {
  if (site.closed !== undefined) return {}
  try {
    return { memories: await memoriesOf(site) }
  } catch (error) {
    if (!isFailure(error, 'folder/incomplete')) throw error
    return { uncounted: error.message }
  }
}

/** What is known of the keys of an installation. */
type Status = {
  readonly place: string
  /** The ids of the configured master keys, the one that wraps first. */
  readonly masters: readonly string[]
  readonly keys: readonly (KeyFacts & {
    readonly isOpen: boolean
    /** How many memories are sealed under it; absent where they were not counted. */
    readonly memories?: number
  })[]
  /** The memories under keys that are not here. */
  readonly missing: readonly { readonly id: string; readonly tokens: readonly TokenId[] }[]
  readonly isCounted: boolean
  /** Why the memories cannot be counted, where something is missing for it. */
  readonly uncounted?: string
  readonly problem?: string
}

function statusOf({ source }: KeySite, seen: SeenKeys, memories: Memories | undefined): Status {
  const { store, masters } = source
  const facts = seen.records.map((record) => record.facts)
  const missing = memories ? missingIn({ byKey: memories }, facts).keys : []
  const problem = problemOf(seen, { place: store.place, masters })
  return {
    place: store.place,
    masters: masters.map(({ id }) => id),
    keys: seen.records.map((record) => ({
      ...record.facts,
      ...(record.opened === 'destroyed' && { state: 'destroyed' as const }),
      isOpen: typeof record.opened === 'object' && record.facts.state !== 'destroyed',
      ...(memories && { memories: memories.get(record.facts.id)?.length ?? 0 }),
    })),
    missing: missing.map((id) => ({ id, tokens: memories?.get(id) ?? [] })),
    isCounted: memories !== undefined,
    ...(problem !== undefined && { problem }),
  }
}

function linesOf({ closed }: KeySite, status: Status): readonly Line[] {
  const { place, masters, keys, missing, isCounted, uncounted = `${closed}.`, problem } = status
  const [first = '', ...others] = masters
  const also = others.length === 0 ? '' : `; ${others.join(', ')} unwrap too`
  const table = [
    ['ID', 'STATE', 'MADE', 'WRAPPED BY', 'MEMORIES'],
    ...keys.map(({ id, state, createdAt, master, memories }) => [
      ...[id, state, new Date(createdAt).toISOString().slice(0, 10), master, `${memories ?? '?'}`],
    ]),
  ]
  return [
    `Sealing keys in ${place}; the master key ${first} wraps${also}.`,
    '',
    ...columns(table),
    ...keys.flatMap(incompleteLine),
    ...(isCounted ? [] : ['', `The memories are not counted: ${uncounted}`]),
    ...missing.map(({ id, tokens }) =>
      warning(
        `${counted(tokens.length)} sealed under the key ${id}, which is not here: ${tokenList(tokens)}.`,
      ),
    ),
    ...(problem === undefined ? [] : [warning(`They cannot be used: ${problem}.`)]),
  ]
}

function columns(table: readonly (readonly string[])[]): readonly string[] {
  const widths = (table[0] ?? []).map((_, at) =>
    Math.max(...table.map((row) => row[at]?.length ?? 0)),
  )
  return table.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function incompleteLine({ id, state, masters, mastersGone }: KeyFacts): readonly Line[] {
  if (state !== 'destroyed' || mastersGone || masters.length === 0) return []
  return [
    warning(
      `The destruction of ${id} is incomplete until the master keys that wrapped it are gone, with all backups: ${masters.join(', ')}.`,
    ),
  ]
}

const warning = (text: string): Line => [{ style: 'yellow', text }]

/** Returns how many memories there are, in words that a sentence can begin with. */
export const counted = (memories: number): string =>
  memories === 1 ? '1 memory is' : `${memories} memories are`

/** Returns tokens as people read them. */
export const tokenList = (tokens: readonly TokenId[]): string =>
  tokens.length === 0 ? 'none' : `token${tokens.length === 1 ? '' : 's'} ${tokens.join(', ')}`
