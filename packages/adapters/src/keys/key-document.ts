import { Failure } from '@heirloom/core'
import type { KeyRecord, KeyState } from './key-record.ts'
import { encodeRecords, isCount, parseRecords, type RecordDocument } from './record-document.ts'

/** All sealing keys of a server, or of the servers that share a database, as one commit wrote them. */
export type KeyDocument = RecordDocument<KeyRecord>

const format = 'heirloom-sealing-keys/1'

/** Encodes a document as text, which holds no key in clear. */
export const encodeKeyDocument = (document: KeyDocument): string => encodeRecords(format, document)

/**
 * Parses a document; `place` names its source.
 *
 * @throws `keys/unusable`
 */
export function parseKeyDocument(text: string, place: string): KeyDocument {
  const document = parseRecords(text, format, isRecord)
  if (document === undefined) throw damaged(place)
  const { records } = document
  if (new Set(records.map(({ id }) => id)).size !== records.length) throw damaged(place)
  return document
}

/** The text of a key document. */
export const keyFormat = { encode: encodeKeyDocument, parse: parseKeyDocument }

const damaged = (place: string) =>
  new Failure('keys/unusable', {
    problem: `${place} is not a file of sealing keys, or is damaged; restore it from a backup`,
  })

const states: readonly KeyState[] = ['sealing', 'opening', 'destroyed']

function isRecord(value: unknown): value is KeyRecord {
  const { id, tenant, state, wrapped, ...rest } = Object(value) as Partial<KeyRecord>
  return (
    /^[0-9a-f]{32}$/.test(`${id}`) &&
    typeof tenant === 'string' &&
    states.some((known) => known === state) &&
    typeof wrapped === 'string' &&
    hasHistory(rest)
  )
}

function hasHistory({
  epoch,
  createdAt,
  master,
  masters,
  destroyedAt,
  mastersGone,
}: Partial<KeyRecord>): boolean {
  return (
    isCount(epoch) &&
    isCount(createdAt) &&
    typeof master === 'string' &&
    Array.isArray(masters) &&
    masters.every((id) => typeof id === 'string') &&
    (destroyedAt === undefined || isCount(destroyedAt)) &&
    (mastersGone === undefined || mastersGone === true)
  )
}
