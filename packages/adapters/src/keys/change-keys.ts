import { randomBytes } from 'node:crypto'
import { Failure } from '@heirloom/core'
import { type KeyFacts, keyLength, type OpenedRecord, wrapRecord } from './key-record.ts'
import { buried, type KeySource, type LoadedKeys } from './load-keys.ts'

/** The tenant of a server that has but one. */
export const onlyTenant = 'default'

/** Draws random bytes, as many as it is asked for. */
export type Random = (length: number) => Uint8Array

/** When and with what randomness a change is made. */
export type Moment = {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly random?: Random
}

/** Records before they are committed. */
export type Records = readonly OpenedRecord[]

/** Returns the records with a new key that seals; the one that sealed only opens from then on. */
export function withNewKey(records: Records, { now, random = randomBytes }: Moment): Records {
  const facts: KeyFacts = {
    id: Buffer.from(random(16)).toString('hex'),
    tenant: onlyTenant,
    state: 'sealing',
    epoch: 0,
    createdAt: now,
    master: '',
    masters: [],
  }
  return [...records.map(closedToSealing), { facts, key: random(keyLength) }]
}

const closedToSealing = ({ facts, key }: OpenedRecord): OpenedRecord =>
  facts.state === 'sealing' ? { facts: { ...facts, state: 'opening' }, key } : { facts, key }

/** Returns the records with tombstones for some ids, and with a new key where the one that seals goes. */
export function withDestroyed(records: Records, ids: readonly string[], moment: Moment): Records {
  const isGone = ({ facts }: OpenedRecord) => ids.includes(facts.id) && facts.state !== 'destroyed'
  const known = records.map((it) => (isGone(it) ? buried(it.facts, moment.now) : it))
  const unknown = ids
    .filter((id) => records.every(({ facts }) => facts.id !== id))
    .map((id) => strange(id, moment))
  const all = [...known, ...unknown]
  return sealingIn(all) === undefined ? withNewKey(all, moment) : all
}

// A key whose record was lost: memories name it, and are to stay closed.
function strange(id: string, { now }: Moment): OpenedRecord {
  const origin = { id, tenant: onlyTenant, epoch: 0, createdAt: now, master: '', masters: [] }
  return buried({ ...origin, state: 'opening' }, now)
}

/** Returns the records with a note on some tombstones that their master keys are gone. */
export const withMastersGone = (records: Records, ids: readonly string[]): Records =>
  records.map((it) =>
    ids.includes(it.facts.id) ? { ...it, facts: { ...it.facts, mastersGone: true } } : it,
  )

/** Returns the record whose key seals. */
export const sealingIn = (records: Records): OpenedRecord | undefined =>
  records.find(({ facts }) => facts.state === 'sealing' && facts.tenant === onlyTenant)

/**
 * Wraps all records under the first master key and commits them in the place of what was loaded.
 *
 * @throws `keys/changed` when another process was first
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
  await store.noteDestroyed(tombstonesIn(records))
  return {
    epoch,
    records: wrapped.map(({ wrapped: _, ...facts }, at) => ({
      facts,
      key: records[at]?.key ?? new Uint8Array(keyLength),
    })),
  }
}

/** Returns the ids of destroyed keys. */
export const tombstonesIn = (records: Records): readonly string[] =>
  records.filter(({ facts }) => facts.state === 'destroyed').map(({ facts }) => facts.id)
