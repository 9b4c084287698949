import { Failure } from '@heirloom/core'
import type { KeyRecord, KeyState } from './key-record.ts'

/** All sealing keys of a server, or of the servers that share a database, as one commit wrote them. */
export type KeyDocument = {
  /** Grows by 1 with each commit; every record carries it. */
  readonly epoch: number
  readonly records: readonly KeyRecord[]
}

const format = 'heirloom-sealing-keys/1'

/** Encodes a document as text, which holds no key in clear. */
export const encodeKeyDocument = ({ epoch, records }: KeyDocument): string =>
  `${JSON.stringify({ format, epoch, records }, undefined, 2)}\n`

/**
 * Parses a document; `place` names its source.
 *
 * @throws `keys/unusable`
 */
export function parseKeyDocument(text: string, place: string): KeyDocument {
  const { format: found, epoch, records } = parseJson(text)
  if (found !== format || !isCount(epoch) || !Array.isArray(records) || !records.every(isRecord)) {
    throw damaged(place)
  }
  if (new Set(records.map(({ id }) => id)).size !== records.length) throw damaged(place)
  return { epoch, records }
}

const damaged = (place: string) =>
  new Failure('keys/unusable', {
    problem: `${place} is not a file of sealing keys, or is damaged; restore it from a backup`,
  })

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    // The parser's error is dropped: it quotes the text.
    return {}
  }
}

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

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
