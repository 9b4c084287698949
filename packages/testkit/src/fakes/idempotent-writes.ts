import {
  Failure,
  type Idempotency,
  type Ledger,
  type LedgerWrite,
  ledgerWrites,
} from '@heirloom/core'

/** The writes of a ledger. */
export type Writes = Pick<Ledger, LedgerWrite>

/** The finished and running writes, by their idempotency keys. */
export type WriteResults = Map<
  string,
  {
    readonly write: LedgerWrite
    readonly fingerprint: string
    readonly result: Promise<unknown>
  }
>

/** Wraps writes so that each is made once for a key; a write that fails releases the key. */
export function idempotentWrites(
  results: WriteResults,
  writes: Writes,
): Writes & Pick<Ledger, 'recall'> {
  const recall = async (write: LedgerWrite, { key, fingerprint }: Idempotency) => {
    const stored = results.get(key)
    if (stored === undefined) return undefined
    if (stored.write !== write || stored.fingerprint !== fingerprint) {
      throw new Failure('idempotency/key-reused', {})
    }
    return stored.result
  }
  const once = async <T>({ write, idempotency, make }: WriteCall<T>): Promise<T> => {
    if (idempotency === undefined) return make()
    const { key, fingerprint } = idempotency
    if (results.has(key)) return (await recall(write, idempotency)) as T
    const result = make().catch((error: unknown) => {
      results.delete(key)
      throw error
    })
    results.set(key, { write, fingerprint, result })
    return result
  }
  return { ...wrapWrites(writes, once), recall: recall as Ledger['recall'] }
}

/** A requested write. */
export type WriteCall<T> = {
  readonly write: LedgerWrite
  readonly idempotency: Idempotency | undefined
  /** Makes the write with the given idempotency, or without one. */
  readonly make: (idempotency?: Idempotency) => Promise<T>
}

/** Wraps every write with `through`. */
export function wrapWrites(inner: Writes, through: <T>(call: WriteCall<T>) => Promise<T>): Writes {
  const wrapped = (write: LedgerWrite) => (given: Keyed) =>
    through<unknown>({
      write,
      idempotency: given.idempotency,
      make: (idempotency) => inner[write]({ ...given, idempotency } as never),
    })
  return Object.fromEntries(ledgerWrites.map((it) => [it, wrapped(it)])) as unknown as Writes
}

type Keyed = { readonly idempotency?: Idempotency | undefined }
