import type { AgentInputItem, Session, SessionHistoryTransactionAwareSession } from '@openai/agents'
import { fromJson, toJson } from '../json-values.ts'
import { type FrameworkOptions, openNamedDocument } from '../named-document.ts'
import { type Data, listIn } from '../state.ts'

/** A session whose history is a named memory. */
export type HeirloomSession = Session &
  Pick<SessionHistoryTransactionAwareSession, 'applyHistoryTransaction'> & {
    /** Saves what is held when `durability` is `held`; otherwise waits for saves in progress. */
    readonly flush: () => Promise<void>
  }

/**
 * Creates a session of the OpenAI Agents SDK in a named memory, in the member `history` of its data. A call
 * resolves once its change is in a version; a change of history by the runner happens once, however often
 * it is repeated. Calls fail with a `HeirloomError`.
 */
export function heirloomSession(options: FrameworkOptions): HeirloomSession {
  const document = openNamedDocument({ category: 'conversation', ...options })
  const change = <T>(apply: (items: readonly object[]) => readonly [readonly object[], T]) =>
    document.change((data) => {
      const before = historyOf(data)
      const [history, result] = apply(before)
      return [history === before ? data : { ...data, history }, result]
    })
  return {
    getSessionId: async () => options.name,
    getItems: async (limit) => {
      const history = historyOf(await document.read())
      const from = limit === undefined ? 0 : Math.max(0, history.length - Math.max(0, limit))
      return history.slice(from).map(decodeItem)
    },
    addItems: async (items) => {
      const added = items.map((it) => toJson(it) as object)
      await change((before) => [added.length === 0 ? before : [...before, ...added], undefined])
    },
    popItem: () =>
      change((before) => {
        const last = before.at(-1)
        return [last === undefined ? before : before.slice(0, -1), last && decodeItem(last)]
      }),
    clearSession: async () => {
      await document.change(({ history, transactions, ...rest }) => [rest, undefined])
    },
    applyHistoryTransaction: async ({ operationId, transaction }) => {
      const encoded = toJson(transaction) as object
      await document.change((data) => {
        if (isApplied(data, operationId, encoded)) return [data, undefined]
        return [applyTransaction(data, operationId, encoded), undefined]
      })
    },
    flush: document.flush,
  }
}

const historyOf = (data: Data): readonly object[] => listIn(data, 'history')

const decodeItem = (item: object): AgentInputItem => fromJson(item) as AgentInputItem

/** A change of history that was applied, by the id that its repetitions have, too. */
type Applied = { readonly id: string; readonly transaction: object }

/** The most changes whose ids are remembered; a runner repeats only its last ones. */
const mostApplied = 100

/**
 * Returns whether a transaction was applied before.
 *
 * @throws {Error} when another one was applied under its id
 */
function isApplied(data: Data, id: string, transaction: object): boolean {
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
function applyTransaction(data: Data, id: string, transaction: object): Data {
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
