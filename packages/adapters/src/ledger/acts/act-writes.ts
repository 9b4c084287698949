import {
  type Ledger,
  type LedgerWrite,
  ledgerWrites,
  type Receipt,
  type WriteResult,
} from '@heirloom/core'
import type { Act } from './encode-act.ts'

type Input<write extends LedgerWrite> = Parameters<Ledger[write]>[0]

/** The writes whose input is the act itself; the act of any other has to be made of its input. */
type PlainWrite = {
  [write in LedgerWrite]: Input<write> & { readonly kind: write } extends Act ? write : never
}[LedgerWrite]

/** The writes that return more than a receipt. */
type WriteWithMore = {
  [write in LedgerWrite]: Receipt extends WriteResult<write> ? never : write
}[LedgerWrite]

/** Reads the result of each write that returns more than a receipt. */
export type ResultReaders<Done> = {
  readonly [write in WriteWithMore]: (done: Done) => WriteResult<write>
}

/** Makes the act of a write, once for its key. */
export type MakeAct = <write extends LedgerWrite>(
  write: write,
  act: Extract<Act, { kind: write }>,
  options: Pick<Input<write>, 'idempotency' | 'budget'>,
) => Promise<WriteResult<write>>

/** Returns the writes of a ledger: those given, and all others by the acts that their inputs are. */
export function actWrites(
  make: MakeAct,
  given: Pick<Ledger, Exclude<LedgerWrite, PlainWrite>>,
): Pick<Ledger, LedgerWrite> {
  const plain = ledgerWrites.map((kind) => {
    const write = async ({ idempotency, budget, ...terms }: Input<PlainWrite>) =>
      make(kind, { kind, ...terms } as never, { idempotency, budget })
    return [kind, write] as const
  })
  return { ...Object.fromEntries(plain), ...given } as Pick<Ledger, LedgerWrite>
}

/** Returns the result of a write: what its reader reads, or the receipt alone. */
export function resultOf<write extends LedgerWrite, Done extends Receipt>(
  readers: ResultReaders<Done>,
  write: write,
  done: Done,
): WriteResult<write> {
  const all: { readonly [name in LedgerWrite]?: (done: Done) => Receipt } = readers
  const { txHash } = done
  return (all[write]?.(done) ?? { txHash }) as WriteResult<write>
}
