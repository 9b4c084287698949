import { type Data, listIn } from '../state.ts'

/** A change of history that was applied, by the id that its repetitions have, too. */
type Applied = { readonly id: string; readonly transaction: object }

/** The most changes whose ids are remembered; a runner repeats only its last ones. */
const mostApplied = 100

/**
 * Returns whether a transaction was applied before.
 *
 * @throws {Error} when another one was applied under its id
 */
export function isApplied(data: Data, id: string, transaction: object): boolean {
  const known = listIn<Applied>(data, 'transactions').find((it) => it.id === id)
  if (known === undefined) return false
  if (isSame(known.transaction, transaction)) return true
  throw new Error(`The history transaction ${id} was already applied with other content.`)
}

/**
 * Returns the members of a session with a transaction applied to its history.
 *
 * @throws {Error} when the history does not end as it expects
 */
export function applyTransaction(data: Data, id: string, transaction: object): Data {
  const history = changeHistory(listIn(data, 'history'), id, transaction)
  const applied = [...listIn<Applied>(data, 'transactions'), { id, transaction }]
  return { ...data, history, transactions: applied.slice(-mostApplied) }
}

function changeHistory(history: readonly object[], id: string, transaction: object) {
  const { type, items, expectedSuffix, replacement } = transaction as Partial<
    Record<'items' | 'expectedSuffix' | 'replacement', readonly object[]>
  > & { readonly type?: string }
  if (type === 'append_items' && items !== undefined) return [...history, ...items]
  if (type !== 'replace_suffix' || expectedSuffix === undefined || replacement === undefined) {
    throw new Error(`The history transaction ${id} is of an unknown type: ${type}.`)
  }
  const start = history.length - expectedSuffix.length
  if (start < 0 || !isSame(history.slice(start), expectedSuffix)) {
    throw new Error(`The history does not end as the history transaction ${id} expects.`)
  }
  return [...history.slice(0, start), ...replacement]
}

/** Returns whether two values of JSON are the same, whatever the order of their members. */
const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other)

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, it) =>
    typeof it === 'object' && it !== null && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  )
