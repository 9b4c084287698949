import { Failure } from '@heirloom/core'
import type { KeyStore } from './file-key-store.ts'
import { type KeyFacts, type KeyRecord, type OpenedRecord, openRecord } from './key-record.ts'
import type { MasterKeys } from './local-master-key.ts'
import { keyLength, type RecordProblem } from './wrapped-record.ts'

/** A key store, and the master keys that unwrap its records. */
export type KeySource = { readonly store: KeyStore; readonly masters: MasterKeys }

/** A record, opened if the master keys allow it. */
export type InspectedRecord = {
  readonly facts: KeyFacts
  /** The record, or why it cannot be opened; `destroyed` when an older file has restored it. */
  readonly opened: OpenedRecord | RecordProblem | 'destroyed'
}

/** The records of a key store, inspected. */
export type InspectedKeys = { readonly epoch: number; readonly records: readonly InspectedRecord[] }

/** The records of a key store, all opened. */
export type LoadedKeys = { readonly epoch: number; readonly records: readonly OpenedRecord[] }

/**
 * Reads the records of a store and opens those that the master keys can open; `undefined` when the
 * store is empty.
 *
 * @throws `keys/unusable` when the document is damaged
 */
export async function inspectKeys({
  store,
  masters,
}: KeySource): Promise<InspectedKeys | undefined> {
  const [document, destroyed] = await Promise.all([store.read(), store.destroyed()])
  if (document === undefined) return undefined
  const { epoch } = document
  const inspect = async (record: KeyRecord): Promise<InspectedRecord> => {
    const { wrapped, ...facts } = record
    if (facts.state !== 'destroyed' && destroyed.has(facts.id))
      return { facts, opened: 'destroyed' }
    const opened = await openRecord(record, masters)
    return { facts, opened: facts.epoch === epoch ? opened : 'altered' }
  }
  return { epoch, records: await Promise.all(document.records.map(inspect)) }
}

/**
 * Reads and opens all records of a store; `undefined` when the store is empty.
 *
 * @throws `keys/unusable`, which names the required and the given master keys
 */
export async function loadKeys(source: KeySource): Promise<LoadedKeys | undefined> {
  const inspected = await inspectKeys(source)
  return inspected && requireOpened(inspected, source)
}

/**
 * Requires that every record was opened, and returns the records. A destroyed key that an older file
 * has restored becomes a tombstone.
 *
 * @throws `keys/unusable` when a record cannot be opened
 */
export function requireOpened(inspected: InspectedKeys, { store, masters }: KeySource): LoadedKeys {
  const problem = describeProblem(inspected, { place: store.place, masters })
  if (problem !== undefined) throw new Failure('keys/unusable', { problem })
  return { epoch: inspected.epoch, records: inspected.records.map(openedRecord) }
}

function openedRecord({ facts, opened }: InspectedRecord): OpenedRecord {
  if (typeof opened === 'object') return opened
  return tombstoneOf(facts)
}

/** Returns the tombstone of a key. */
export const tombstoneOf = (facts: KeyFacts, destroyedAt?: number): OpenedRecord => ({
  facts: { ...facts, state: 'destroyed', ...(destroyedAt !== undefined && { destroyedAt }) },
  key: new Uint8Array(keyLength),
})

/** Describes why some records cannot be opened; `undefined` when all can. */
export function describeProblem(
  { records }: InspectedKeys,
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
