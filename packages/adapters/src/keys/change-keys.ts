import { randomBytes } from 'node:crypto'
import { Failure } from '@heirloom/core'
import { type KeyFacts, type OpenedRecord, wrapRecord } from './key-record.ts'
import { type KeySource, type LoadedKeys, tombstoneOf } from './load-keys.ts'
import { keyLength } from './wrapped-record.ts'

/** The tenant that a server is itself; without other tenants all is sealed for it. */
export const defaultTenant = 'default'

/** Returns so many random bytes. */
export type Random = (length: number) => Uint8Array

/** The time and the randomness of a change. */
export type Moment = {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly random?: Random
}

/** The opened records of a store, as loaded or changed, before they are committed. */
export type Records = readonly OpenedRecord[]

/**
 * Returns the records with a new sealing key of a tenant; the one before it can only open from then
 * on.
 */
export function withNewKey(
  records: Records,
  { now, random = randomBytes }: Moment,
  tenant = defaultTenant,
): Records {
  const facts: KeyFacts = {
    id: Buffer.from(random(16)).toString('hex'),
    tenant,
    state: 'sealing',
    epoch: 0,
    createdAt: now,
    master: '',
    masters: [],
  }
  return [...withoutSealing(records, tenant), { facts, key: random(keyLength) }]
}

/** Returns the records with those of a tenant closed to sealing; all of them still open. */
export const withoutSealing = (records: Records, tenant: string): Records =>
  records.map(({ facts, key }) =>
    facts.state === 'sealing' && facts.tenant === tenant
      ? { facts: { ...facts, state: 'opening' }, key }
      : { facts, key },
  )

/**
 * Returns the records with tombstones for some ids, and with a new key for each tenant that cannot
 * seal any more because of that, except the tenants that are closed.
 */
export function withDestroyed(
  records: Records,
  ids: readonly string[],
  { closed = [], ...moment }: Moment & { readonly closed?: readonly string[] },
): Records {
  const isDoomed = ({ facts }: OpenedRecord) =>
    ids.includes(facts.id) && facts.state !== 'destroyed'
  const known = records.map((it) => (isDoomed(it) ? tombstoneOf(it.facts, moment.now) : it))
  const unknown = ids
    .filter((id) => records.every(({ facts }) => facts.id !== id))
    .map((id) => lostKeyTombstone(id, moment))
  const tenants = new Set(records.filter(isDoomed).map(({ facts }) => facts.tenant))
  return [defaultTenant, ...tenants]
    .filter((tenant) => !closed.includes(tenant))
    .reduce<Records>(
      (all, tenant) =>
        findSealingKey(all, tenant) === undefined ? withNewKey(all, moment, tenant) : all,
      [...known, ...unknown],
    )
}

// The record of the key was lost, but bundles name the key, and must stay unreadable.
function lostKeyTombstone(id: string, { now }: Moment): OpenedRecord {
  const origin = { id, tenant: defaultTenant, epoch: 0, createdAt: now, master: '', masters: [] }
  return tombstoneOf({ ...origin, state: 'opening' }, now)
}

/** Returns the records with `mastersGone` set on the tombstones of some ids. */
export const withMastersGone = (records: Records, ids: readonly string[]): Records =>
  records.map((it) =>
    ids.includes(it.facts.id) ? { ...it, facts: { ...it.facts, mastersGone: true } } : it,
  )

/** Returns the record of the key that seals for a tenant; `undefined` when none does. */
export const findSealingKey = (
  records: Records,
  tenant = defaultTenant,
): OpenedRecord | undefined =>
  records.find(({ facts }) => facts.state === 'sealing' && facts.tenant === tenant)

/**
 * Wraps all records under the first master key and commits them; they replace the loaded ones.
 *
 * @throws `keys/changed` when another process committed first
 */
export async function commitKeys(
  { store, masters }: KeySource,
  before: LoadedKeys | undefined,
  records: Records,
): Promise<LoadedKeys> {
  const epoch = (before?.epoch ?? 0) + 1
  const [master] = masters
  const wrapped = await Promise.all(
    records.map(({ facts, key }) => wrapRecord({ facts: { ...facts, epoch }, key }, master)),
  )
  if (!(await store.commit({ epoch, records: wrapped }))) throw new Failure('keys/changed', {})
  await store.noteDestroyed(destroyedIds(records))
  return {
    epoch,
    records: wrapped.map(({ wrapped: _, ...facts }, at) => ({
      facts,
      key: records[at]?.key ?? new Uint8Array(keyLength),
    })),
  }
}

/** Returns the ids of destroyed keys. */
export const destroyedIds = (records: Records): readonly string[] =>
  records.filter(({ facts }) => facts.state === 'destroyed').map(({ facts }) => facts.id)
