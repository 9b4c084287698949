import { Failure } from '@heirloom/core'
import {
  type KeyFacts,
  type KeyRecord,
  keyLength,
  type OpenedRecord,
  openRecord,
  type RecordProblem,
} from './key-record.ts'
import type { KeyStore } from './key-store.ts'
import type { MasterKeys } from './master-key.ts'

/** Where the sealing keys are, and what unwraps them. */
export type KeySource = { readonly store: KeyStore; readonly masters: MasterKeys }

/** A record as far as it can be opened here. */
export type SeenRecord = {
  readonly facts: KeyFacts
  /** The record, or why it cannot be opened; `destroyed` where an older file brought it back. */
  readonly opened: OpenedRecord | RecordProblem | 'destroyed'
}

/** A key store as it was read. */
export type SeenKeys = { readonly epoch: number; readonly records: readonly SeenRecord[] }

/** All records of a store, opened. */
export type LoadedKeys = { readonly epoch: number; readonly records: readonly OpenedRecord[] }

/**
 * Reads the records of a store and opens what the master keys open; `undefined` where there is
 * none yet.
 *
 * @throws `keys/unusable` where the document itself is damaged
 */
export async function inspectKeys({ store, masters }: KeySource): Promise<SeenKeys | undefined> {
  const [document, destroyed] = await Promise.all([store.read(), store.destroyed()])
  if (document === undefined) return undefined
  const { epoch } = document
  const seen = async (record: KeyRecord): Promise<SeenRecord> => {
    const { wrapped, ...facts } = record
    if (facts.state !== 'destroyed' && destroyed.has(facts.id))
      return { facts, opened: 'destroyed' }
    const opened = await openRecord(record, masters)
    return { facts, opened: facts.epoch === epoch ? opened : 'altered' }
  }
  return { epoch, records: await Promise.all(document.records.map(seen)) }
}

/**
 * Reads and opens all records of a store; `undefined` where there is none yet.
 *
 * @throws `keys/unusable`, which names the master keys that are needed and those that were given
 */
export async function loadKeys(source: KeySource): Promise<LoadedKeys | undefined> {
  const seen = await inspectKeys(source)
  return seen && loaded(seen, source)
}

/**
 * Returns the opened records of a store; a key that was destroyed and came back is a tombstone.
 *
 * @throws `keys/unusable` where one cannot be opened
 */
export function loaded(seen: SeenKeys, { store, masters }: KeySource): LoadedKeys {
  const problem = problemOf(seen, { place: store.place, masters })
  if (problem !== undefined) throw new Failure('keys/unusable', { problem })
  return { epoch: seen.epoch, records: seen.records.map(openedOf) }
}

function openedOf({ facts, opened }: SeenRecord): OpenedRecord {
  if (typeof opened === 'object') return opened
  return buried(facts)
}

/** Returns the tombstone of a key. */
export const buried = (facts: KeyFacts, destroyedAt?: number): OpenedRecord => ({
  facts: { ...facts, state: 'destroyed', ...(destroyedAt !== undefined && { destroyedAt }) },
  key: new Uint8Array(keyLength),
})

/** Says why the records cannot all be opened; nothing where they can. */
export function problemOf(
  { records }: SeenKeys,
  { place, masters }: { readonly place: string; readonly masters: MasterKeys },
): string | undefined {
  const altered = records.filter(({ opened }) => opened === 'altered').map(({ facts }) => facts.id)
  if (altered.length > 0) {
    return `in ${place} the records ${altered.join(', ')} were altered or come from another file; restore the whole file from one backup`
  }
  const closed = records.filter(({ opened }) => opened === 'no-master')
  if (closed.length === 0) return undefined
  const needed = [...new Set(closed.map(({ facts }) => facts.master))].join(', ')
  const given = masters.map(({ id }) => id).join(', ')
  const some = closed.length === records.length ? 'none' : `${records.length - closed.length}`
  return `the given master keys (${given}) open ${some} of the ${records.length} sealing keys in ${place}; the others are wrapped by ${needed}, so give that master key too, or the key file that belongs to the given ones`
}
