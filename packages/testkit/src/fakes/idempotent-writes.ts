import { Failure, type Idempotency, type Ledger, type LedgerWrite } from '@heirloom/core'

/** The writes of a ledger. */
export type Writes = Pick<Ledger, LedgerWrite>

/** What was made under each key, or is being made. */
export type Memory = Map<
  string,
  {
    readonly write: LedgerWrite
    readonly fingerprint: string
    readonly made: Promise<unknown>
  }
>

/** Returns the writes so that each happens once for a key; one that fails leaves the key free. */
export function remembering(memory: Memory, writes: Writes): Writes & Pick<Ledger, 'recall'> {
  const recall = async (write: LedgerWrite, { key, fingerprint }: Idempotency) => {
    const known = memory.get(key)
    if (known === undefined) return undefined
    if (known.write !== write || known.fingerprint !== fingerprint) {
      throw new Failure('idempotency/key-reused', {})
    }
    return known.made
  }
  const once = async <T>({ write, idempotency, make }: Call<T>): Promise<T> => {
    if (idempotency === undefined) return make()
    const { key, fingerprint } = idempotency
    if (memory.has(key)) return (await recall(write, idempotency)) as T
    const made = make().catch((error: unknown) => {
      memory.delete(key)
      throw error
    })
    memory.set(key, { write, fingerprint, made })
    return made
  }
  return { ...around(writes, once), recall: recall as Ledger['recall'] }
}

/** A write that is asked for, and how to make it. */
export type Call<T> = {
  readonly write: LedgerWrite
  readonly idempotency: Idempotency | undefined
  /** Makes the write, with another idempotency when one is given. */
  readonly make: (idempotency?: Idempotency) => Promise<T>
}

/** Puts something around every write. */
export function around(inner: Writes, through: <T>(call: Call<T>) => Promise<T>): Writes {
  const wrapped = <argument extends { readonly idempotency?: Idempotency | undefined }, T>(
    write: LedgerWrite,
    act: (given: argument) => Promise<T>,
  ) => {
    return (given: argument) =>
      through({
        write,
        idempotency: given.idempotency,
        make: (idempotency) => act({ ...given, idempotency }),
      })
  }
  return {
    mint: wrapped('mint', inner.mint),
    list: wrapped('list', inner.list),
    buy: wrapped('buy', inner.buy),
    rent: wrapped('rent', inner.rent),
    fork: wrapped('fork', inner.fork),
    payRoyalty: wrapped('payRoyalty', inner.payRoyalty),
  }
}
