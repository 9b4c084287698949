import { setTimeout } from 'node:timers/promises'
import {
  commitKeys,
  defaultTenant,
  findSealingKey,
  type LoadedKeys,
  type Records,
  withDestroyed,
  withNewKey,
  withoutSealing,
} from '@heirloom/adapters/keys'
import type { TokenId } from '@heirloom/core'
import { keyLease, refreshInterval } from '../../../server/keys/open-keys.ts'
import type { Line, Output } from '../../terminal/output.ts'
import { type KeyInstallation, readTokensByKey, type TokensByKey } from './key-installation.ts'
import { countText, tokenList } from './show-key-status.ts'

/** The longest time from sealing a memory to minting its token, in milliseconds. */
const longestMint = 30_000

/** The sealing keys that are to be destroyed. */
export type Selection = {
  readonly installation: KeyInstallation
  readonly ids: readonly string[]
  readonly before: LoadedKeys
  /** The tenant that is erased with its keys, and gets no new one. */
  readonly erased?: string
}

/** Returns the sentence that says which memories will be unreadable. */
export const warningOf = (selection: Selection, memories: TokensByKey): string => {
  const tokens = tokensUnder(selection.ids, memories)
  return `${countText(tokens.length)} sealed under ${keyNames(selection.ids)} and will be unreadable forever: ${tokenList(tokens)}.${notHereText(selection, memories)}`
}

/** The result of a destruction. */
export type Destroyed = {
  /** The tokens whose memories cannot be opened any more. */
  readonly gone: readonly TokenId[]
  readonly notHere: number
  /** The master keys that ever wrapped the destroyed keys. */
  readonly masters: readonly string[]
  /** The id of the key that seals from now on, for the server itself. */
  readonly sealing: string | undefined
}

/** Destroys the selected keys once no server seals under them any more. */
export async function destroySelected(
  output: Pick<Output, 'note'>,
  selection: Selection,
  memories: TokensByKey,
): Promise<Destroyed> {
  const { installation, ids } = selection
  const unused = await stopSealing(selection)
  const { notHere, ...last } = installation.isShared
    ? await readTokensByKey(installation)
    : memories
  const gone = tokensUnder(ids, last)
  const moment = { now: installation.now(), closed: closedTenants(selection) }
  const destroyed = withDestroyed(unused.records, ids, moment)
  const after = await commitKeys(installation.source, unused, destroyed)
  if (installation.isShared) {
    // The other servers drop the keys when they read them again.
    const seconds = (2 * refreshInterval) / 1000
    await output.note(`Destroyed. Waiting ${seconds} s until the other servers drop the key too.`)
    await setTimeout(2 * refreshInterval)
  }
  const masters = mastersOf({ ...selection, before: after })
  return { gone, notHere, masters, sealing: findSealingKey(after.records)?.facts.id }
}

/** Names keys in a sentence. */
export const keyNames = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(', ')}`

/** Returns the tokens whose memories are sealed under some keys. */
export const tokensUnder = (
  ids: readonly string[],
  { byKey }: Pick<TokensByKey, 'byKey'>,
): readonly TokenId[] => ids.flatMap((id) => byKey.get(id) ?? [])

/** Says that memories of servers with the same database may be under the keys too. */
function notHereText(
  { installation, ids }: Selection,
  { notHere }: Pick<TokensByKey, 'notHere'>,
): string {
  if (!installation.isShared || notHere === 0) return ''
  const number = notHere === 1 ? '1 more memory' : `${notHere} more memories`
  return ` ${number} of this wallet may be sealed under ${ids.length === 1 ? 'it' : 'them'} and will then be unreadable too: not stored here. To list those, stop each other server in turn, and run heirloom keys destroy ${ids.join(',')} --dry-run with its DATA_DIR.`
}

/**
 * Returns the keys once no server seals under the selected ones any more. Servers that share the
 * database go on sealing under a key for a while after it was replaced.
 */
async function stopSealing(selection: Selection): Promise<LoadedKeys> {
  const { installation, ids, before } = selection
  if (!installation.isShared) return before
  const { source, now } = installation
  const tenants = tenantsOf(ids, before)
  const closed = closedTenants(selection)
  const isClosed = (tenant: string) => {
    const sealing = findSealingKey(before.records, tenant)
    return sealing === undefined || ids.includes(sealing.facts.id)
  }
  const close = (records: Records, tenant: string): Records =>
    closed.includes(tenant)
      ? withoutSealing(records, tenant)
      : withNewKey(records, { now: now() }, tenant)
  const closing = tenants.filter(isClosed)
  const after =
    closing.length === 0
      ? before
      : await commitKeys(source, before, closing.reduce(close, before.records))
  const since = tenants.map((it) => findSealingKey(after.records, it)?.facts.createdAt ?? now())
  await setTimeout(Math.max(0, Math.max(...since) + keyLease + longestMint - now()))
  return after
}

/** Returns the tenants that get no new key: the erased one, and those whose removal was cut off. */
const closedTenants = ({ installation, erased }: Selection): readonly string[] => [
  ...installation.tenants.filter(({ state }) => state !== 'active').map(({ name }) => name),
  ...(erased === undefined ? [] : [erased]),
]

/** Returns the tenants of some keys, or the server itself for keys that nobody can use. */
function tenantsOf(ids: readonly string[], { records }: LoadedKeys): readonly string[] {
  const own = records.filter(({ facts }) => ids.includes(facts.id) && facts.state !== 'destroyed')
  return [...new Set(own.length === 0 ? [defaultTenant] : own.map(({ facts }) => facts.tenant))]
}

/** Returns the master keys that ever wrapped some keys. */
export const mastersOf = ({ ids, before }: Omit<Selection, 'installation'>): readonly string[] => [
  ...new Set(
    before.records
      .filter(({ facts }) => ids.includes(facts.id))
      .flatMap(({ facts }) => facts.masters),
  ),
]

/** Returns what an operator must still do until destroyed keys are gone everywhere. */
export function remainingSteps(
  { installation: { isShared, source }, ids }: Selection,
  masters: readonly string[],
): readonly Line[] {
  if (masters.length === 0) return []
  const replicas = isShared
    ? ['- Stop every server that cannot reach the database: it still has the key in memory.']
    : []
  return [
    '',
    [
      { style: 'bold', text: 'Incomplete.' },
      ' Older copies of the keys still contain it, wrapped:',
    ],
    `backups of ${source.store.place}, dumps and logs of a database, copied folders. To finish:`,
    ...replicas,
    `- Put a new master key before ${masters.join(', ')}, run heirloom keys rotate, and remove the old ones.`,
    '- Destroy the old master keys, and every backup or copied folder that contains one.',
    `- Then confirm it: heirloom keys destroy ${ids.join(',')} --old-masters-gone`,
  ]
}
