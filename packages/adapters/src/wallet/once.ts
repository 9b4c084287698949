import { Failure, type Idempotency } from '@heirloom/core'
import { storedOf } from './open-orders.ts'
import { isUndecided } from './perform.ts'
import type { Performed, WalletAct } from './performer.ts'
import type { SendEvents, Sent } from './sender.ts'
import { type ActStore, markOf, type StoredAct } from './wallet-store.ts'

/** Makes the acts with an idempotency key once, for as long as their store lasts. */
export type Once = {
  /**
   * Returns the result of the act with a key, and waits for an act in progress. An act whose
   * transaction may still be mined is waited for again, and never sent anew. `undefined` if the key has
   * none, or one that can never happen any more.
   *
   * @throws `idempotency/key-reused`, `transaction/unknown` for ever where an act was requested of a
   * wallet that reported neither its hash nor that it sent none, and the failures of the act
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

/** The calls while an act is performed. */
type Report = SendEvents & { readonly onRequest: () => void; readonly onReplaced: OnReplaced }

/** Called with all transactions of an act before one that replaces the others leaves. */
type OnReplaced = (sent: Sent) => void

/**
 * Performs an act, and reports that it is requested of a wallet, its transaction, and what replaces that.
 */
type Start = (report: Report) => Promise<Performed>

/** An act that was signed before, and whose end nobody was told. */
export type Unended = Extract<StoredAct, { readonly act: WalletAct }>

/** Waits for an act that may have been sent; returns `undefined` if it never can happen. */
type Resume = (act: Unended, onReplaced: OnReplaced) => Promise<Performed | undefined>

type Running = {
  readonly fingerprint: string
  readonly result: Promise<Performed | undefined>
}

/** Another process has signed an act under the same key; the own one was not sent. */
class KeyTaken extends Error {}

type Parts = {
  readonly store: ActStore
  readonly resume: Resume
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
}

type Keys = Parts & {
  /** The acts with a key that are in progress in this process. */
  readonly running: Map<string, Running>
}

/** Opens the idempotency keys in a store. */
export function createOnce(parts: Parts): Once {
  const keys: Keys = { ...parts, running: new Map() }
  const { store } = parts
  return {
    recall: (idempotency) => recall(keys, idempotency),
    record: ({ key, fingerprint }, performed) => store.put(key, { fingerprint, performed }),
    run: async (act, idempotency, start) =>
      idempotency === undefined
        ? start({ onRequest: ignore, onSent: ignore, onReplaced: ignore })
        : run(keys, { act, idempotency, start }),
  }
}

async function recall(keys: Keys, idempotency: Idempotency): Promise<Performed | undefined> {
  const { key, fingerprint } = idempotency
  const found = keys.running.get(key) ?? keys.store.get(key)
  if (found === undefined) return undefined
  if (found.fingerprint !== fingerprint) throw new Failure('idempotency/key-reused', {})
  if ('result' in found) return found.result
  if (found.performed !== undefined) return found.performed
  if (found.requested !== undefined) throw new Failure('transaction/unknown', {})
  const onReplaced = (sent: Sent) => keys.store.replace(key, { ...found, sent: storedSent(sent) })
  const act = () => keys.resume(found, onReplaced)
  return follow(keys, idempotency, { act, mark: () => found.sent.txHash })
}

type KeyedAct = {
  readonly act: WalletAct
  readonly idempotency: Idempotency
  readonly start: Start
}

async function run(keys: Keys, keyed: KeyedAct): Promise<Performed> {
  const earlier = await recall(keys, keyed.idempotency)
  if (earlier !== undefined) return earlier
  // The same call may have begun while this one waited.
  if (keys.running.has(keyed.idempotency.key)) return run(keys, keyed)
  try {
    return await begin(keys, keyed)
  } catch (error) {
    if (error instanceof KeyTaken) return run(keys, keyed)
    throw error
  }
}

function begin(keys: Keys, { act, idempotency, start }: KeyedAct): Promise<Performed> {
  const { store, now } = keys
  const { key, fingerprint } = idempotency
  let mark: string | undefined
  const add = (stored: StoredAct) => {
    if (!store.add(key, stored)) throw new KeyTaken()
    mark = markOf(stored)
  }
  let isRequested = false
  let signedAt = now()
  const onRequest = () => {
    // An order is paid once, however often it is sent.
    if (act.kind === 'order') return
    add({ fingerprint, requested: `requested ${now()} ${Math.random()}` })
    isRequested = true
  }
  const onSent = (sent: Sent) => {
    signedAt = now()
    const stored = { fingerprint, act, sent: storedSent(sent), signedAt }
    if (isRequested) {
      mark = sent.txHash
      return store.put(key, stored)
    }
    // An order that can no longer be paid gives way to a new one within the same act.
    if (mark !== undefined) store.remove(key, mark)
    add(stored)
  }
  const onReplaced = (sent: Sent) =>
    store.replace(key, { fingerprint, act, sent: storedSent(sent), signedAt })
  const report = { onRequest, onSent, onReplaced }
  return follow(keys, idempotency, { act: () => start(report), mark: () => mark })
}

type OneAct<T> = {
  readonly act: () => Promise<T>
  /** Returns the mark of what is stored for it, if anything is. */
  readonly mark: () => string | undefined
}

/** Runs the only act with a key in this process; one that fails without effect frees the key. */
function follow<T extends Performed | undefined>(
  { store, running }: Keys,
  { key, fingerprint }: Idempotency,
  { act, mark }: OneAct<T>,
): Promise<T> {
  const free = () => {
    const stored = mark()
    if (stored !== undefined) store.remove(key, stored)
  }
  const end = (performed: Performed) => store.put(key, { fingerprint, performed })
  const result = settle(act, { end, free }).finally(() => running.delete(key))
  running.set(key, { fingerprint, result })
  return result
}

type Ends = { readonly end: (performed: Performed) => void; readonly free: () => void }

async function settle<T extends Performed | undefined>(
  act: () => Promise<T>,
  { end, free }: Ends,
): Promise<T> {
  const performed = await act().catch((error: unknown) => {
    if (!isUndecided(error)) free()
    throw error
  })
  if (performed === undefined) free()
  else end(performed)
  return performed
}

const ignore = () => undefined

const storedSent = ({ order, ...sent }: Sent) => ({
  ...sent,
  ...(order && { order: storedOf(order, false) }),
})
