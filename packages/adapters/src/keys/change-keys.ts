import { randomBytes } from 'node:crypto'
import { Failure } from '@heirloom/core'
import { type KeyFacts, keyLength, type OpenedRecord, wrapRecord } from './key-record.ts'
import { type KeySource, type LoadedKeys, tombstoneOf } from './load-keys.ts'

/** The tenant of a server with a single tenant. */
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

/** Returns the records with a new sealing key; the one before it can only open from then on. */
export function withNewKey(records: Records, { now, random = randomBytes }: Moment): Records {
  const facts: KeyFacts = {
    id: Buffer.from(random(16)).toString('hex'),
    tenant: defaultTenant,
    state: 'sealing',
    epoch: 0,
    createdAt: now,
    master: '',
    masters: [],
  }
  return [...records.map(retired), { facts, key: random(keyLength) }]
}

const retired = ({ facts, key }: OpenedRecord): OpenedRecord =>
  facts.state === 'sealing' ? { facts: { ...facts, state: 'opening' }, key } : { facts, key }

/** Returns the records with tombstones for some ids, and with a new key if none can seal any more. */
export function withDestroyed(records: Records, ids: readonly string[], moment: Moment): Records {
  const isDoomed = ({ facts }: OpenedRecord) =>
    ids.includes(facts.id) && facts.state !== 'destroyed'
  const known = records.map((it) => (isDoomed(it) ? tombstoneOf(it.facts, moment.now) : it))
  const unknown = ids
    .filter((id) => records.every(({ facts }) => facts.id !== id))
    .map((id) => lostKeyTombstone(id, moment))
  const all = [...known, ...unknown]
  return findSealingKey(all) === undefined ? withNewKey(all, moment) : all
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

/** Returns the record of the key that seals; `undefined` when none does. */
export const findSealingKey = (records: Records): OpenedRecord | undefined =>
  records.find(({ facts }) => facts.state === 'sealing' && facts.tenant === defaultTenant)

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
