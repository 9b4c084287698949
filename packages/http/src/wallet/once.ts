import { Failure, type Idempotency } from '@heirloom/core'
import { isUndecided, type Performed, type WalletAct } from './perform.ts'
import type { Sent } from './sender.ts'

/** Makes the acts with an idempotency key once, for as long as the wallet is open. */
export type Once = {
  /**
   * Returns the result of the act with a key, and waits for an act in progress. An act whose
   * transaction may still be mined is waited for again, and never sent anew.
   *
   * @throws `idempotency/key-reused`, and the failures of the act
   */
  readonly recall: (idempotency: Idempotency) => Promise<Performed | undefined>
  /** Stores the result of an act that was performed before, under its key. */
  readonly record: (idempotency: Idempotency, performed: Performed) => void
  /**
   * Performs an act; with a key that another act has, returns the result of that act.
   *
   * @throws `idempotency/key-reused`, and the failures of the act
   */
  readonly run: (
    act: WalletAct,
    idempotency: Idempotency | undefined,
    start: Start,
  ) => Promise<Performed>
}

/** Performs an act, and reports its transaction as soon as that may reach the chain. */
type Start = (onSent: (sent: Sent) => void) => Promise<Performed>

type Entry = {
  readonly act: WalletAct
  readonly fingerprint: string
  /** The result, or the result of the last wait for the transaction. */
  result: Promise<Performed>
  sent?: Sent
  /** Whether the last wait ended before the transaction was mined. */
  isUndecided: boolean
}

/** The most keys that are stored; the oldest is dropped first. */
const mostKeys = 10_000

/** Creates the memory of idempotency keys. `resume` waits for an act that may have been sent. */
export function createOnce(resume: (act: WalletAct, sent: Sent) => Promise<Performed>): Once {
  const entries = new Map<string, Entry>()
  const watch = (key: string, entry: Entry, result: Promise<Performed>): Promise<Performed> => {
    entry.isUndecided = false
    entry.result = result.catch((error: unknown) => {
      entry.isUndecided = isUndecided(error)
      if (!entry.isUndecided) entries.delete(key)
      throw error
    })
    return entry.result
  }
  const resultOf = (key: string, entry: Entry) =>
    entry.isUndecided && entry.sent !== undefined
      ? watch(key, entry, resume(entry.act, entry.sent))
      : entry.result
  const recall: Once['recall'] = async ({ key, fingerprint }) => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.fingerprint === fingerprint) return resultOf(key, entry)
    throw new Failure('idempotency/key-reused', {})
  }
  const begin = (act: WalletAct, { key, fingerprint }: Idempotency, start: Start) => {
    dropOldest(entries)
    const { promise, resolve } = Promise.withResolvers<Performed>()
    const entry: Entry = { act, fingerprint, result: promise, isUndecided: false }
    entries.set(key, entry)
    resolve(
      start((sent) => {
        entry.sent = sent
      }),
    )
    return watch(key, entry, promise)
  }
  return {
    recall,
    record: ({ key, fingerprint }, performed) => {
      dropOldest(entries)
      const result = Promise.resolve(performed)
      entries.set(key, { act: performed.act, fingerprint, result, isUndecided: false })
    },
    run: async (act, idempotency, start) => {
      if (idempotency === undefined) return start(() => undefined)
      return (await recall(idempotency)) ?? begin(act, idempotency, start)
    },
  }
}

function dropOldest(entries: Map<string, Entry>): void {
  const [oldest] = entries.keys()
  if (entries.size >= mostKeys && oldest !== undefined) entries.delete(oldest)
}
