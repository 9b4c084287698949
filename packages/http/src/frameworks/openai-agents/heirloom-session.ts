import type { AgentInputItem, Session, SessionHistoryTransactionAwareSession } from '@openai/agents'
import { fromJson, toJson } from '../json-values.ts'
import { type FrameworkOptions, openNamedDocument } from '../named-document.ts'
import { type Data, listIn } from '../state.ts'
import { applyTransaction, isApplied } from './apply-transaction.ts'

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
