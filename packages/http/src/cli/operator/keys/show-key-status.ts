import {
  defaultTenant,
  describeProblem,
  type InspectedKeys,
  type KeyFacts,
} from '@heirloom/adapters/keys'
import { isFailure, type TokenId } from '@heirloom/core'
import { findMissingKeys } from '../../../server/keys/key-census.ts'
import type { Line } from '../../terminal/output.ts'
import { columns, idsText } from '../../terminal/value-text.ts'
import type { KeysCall } from './key-installation.ts'
import {
  type KeyInstallation,
  readTokensByKey,
  type TokensByKey,
  withKeyInstallation,
} from './key-installation.ts'

/** Lists the sealing keys; returns 1 when one is missing or cannot be opened. */
export function showKeyStatus(call: KeysCall): Promise<number> {
  return withKeyInstallation(call, 'read', async (installation, seen) => {
    const { memories, uncounted } = await countMemories(installation)
    const status = { ...statusOf(installation, seen, memories), ...(uncounted && { uncounted }) }
    await call.output.result({ value: status, lines: linesOf(installation, status) })
    const isWhole = uncounted === undefined && status.missing.length === 0
    return isWhole && status.problem === undefined ? 0 : 1
  })
}

type Count = { readonly memories?: TokensByKey; readonly uncounted?: string }

/** Counts the memories of each key, or returns why they cannot be counted. */
async function countMemories(installation: KeyInstallation): Promise<Count> {
  if (installation.unavailable !== undefined) return {}
  try {
    return { memories: await readTokensByKey(installation) }
  } catch (error) {
    if (!isFailure(error, 'folder/incomplete')) throw error
    return { uncounted: error.message }
  }
}

/** The state of all keys of an installation. */
type Status = {
  readonly place: string
  /** The ids of the configured master keys; the first one wraps. */
  readonly masters: readonly string[]
  readonly keys: readonly (KeyFacts & {
    readonly isOpen: boolean
    /** The number of memories under this key; absent when they were not counted. */
    readonly memories?: number
  })[]
  /** The tokens whose sealing key is missing, by the id of the key. */
  readonly missing: readonly { readonly id: string; readonly tokens: readonly TokenId[] }[]
  readonly isCounted: boolean
  /** The reason why the memories cannot be counted. */
  readonly uncounted?: string
  readonly problem?: string
}

function statusOf(
  { source }: KeyInstallation,
  seen: InspectedKeys,
  memories: TokensByKey | undefined,
): Status {
  const { store, masters } = source
  const facts = seen.records.map((record) => record.facts)
  const missing = memories ? findMissingKeys(memories, facts).keys : []
  const problem = describeProblem(seen, { place: store.place, masters })
  return {
    place: store.place,
    masters: masters.map(({ id }) => id),
    keys: seen.records.map((record) => ({
      ...record.facts,
      ...(record.opened === 'destroyed' && { state: 'destroyed' as const }),
      isOpen: typeof record.opened === 'object' && record.facts.state !== 'destroyed',
      ...(memories && { memories: memories.byKey.get(record.facts.id)?.length ?? 0 }),
    })),
    missing: missing.map((id) => ({ id, tokens: memories?.byKey.get(id) ?? [] })),
    isCounted: memories !== undefined,
    ...(problem !== undefined && { problem }),
  }
}

function linesOf({ unavailable }: KeyInstallation, status: Status): readonly Line[] {
  const { place, masters, keys, missing, isCounted, uncounted, problem } = status
  const reason = uncounted ?? `${unavailable}.`
  const [first = '', ...others] = masters
  const also = others.length === 0 ? '' : `; ${others.join(', ')} unwrap too`
  const hasTenants = keys.some(({ tenant }) => tenant !== defaultTenant)
  const table = [
    ['ID', 'STATE', 'CREATED', 'WRAPPED BY', 'MEMORIES', ...(hasTenants ? ['TENANT'] : [])],
    ...keys.map(({ id, state, createdAt, master, memories, tenant }) => [
      ...[id, state, new Date(createdAt).toISOString().slice(0, 10), master, `${memories ?? '?'}`],
      ...(hasTenants ? [tenant] : []),
    ]),
  ]
  return [
    `Sealing keys in ${place}; the master key ${first} wraps${also}.`,
    '',
    ...columns(table),
    ...keys.flatMap(incompleteLine),
    ...(isCounted ? [] : ['', `The memories are not counted: ${reason}`]),
    ...missing.map(({ id, tokens }) =>
      warning(
        `${countText(tokens.length)} sealed under the key ${id}, which is missing: ${tokenList(tokens)}.`,
      ),
    ),
    ...(problem === undefined ? [] : [warning(`The keys cannot be used: ${problem}.`)]),
  ]
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

/** Returns a number of memories as the start of a sentence. */
export const countText = (memories: number): string =>
  memories === 1 ? '1 memory is' : `${memories} memories are`

/** Returns the numbers of tokens as text. */
export const tokenList = (tokens: readonly TokenId[]): string =>
  tokens.length === 0 ? 'none' : `token${tokens.length === 1 ? '' : 's'} ${idsText(tokens)}`
