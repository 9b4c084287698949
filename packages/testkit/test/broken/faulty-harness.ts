import {
  type Account,
  type FailureCode,
  isFailure,
  type Ledger,
  type TokenId,
} from '@heirloom/core'
import { memoryHarness } from '../../src/fakes/harness.ts'
import type { LedgerHarness, Party } from '../../src/harness.ts'

/** Returns the faulty methods of a ledger, given the correct ledger and the correct harness. */
export type Fault = (inner: Ledger, harness: LedgerHarness) => Partial<Ledger>

/** Returns a function that opens a harness in which all ledgers have the same fault. */
export function faultyHarness(makeFault: () => Fault): () => Promise<LedgerHarness> {
  return async () => {
    const harness = memoryHarness()
    const fault = makeFault()
    const faulty = (party: Party) => ({
      ...party,
      ledger: { ...party.ledger, ...fault(party.ledger, harness) },
    })
    return { ...harness, parties: harness.parties.map(faulty), pauper: faulty(harness.pauper) }
  }
}

/** Returns the ledger of a token's owner. */
export async function ownersLedger(harness: LedgerHarness, tokenId: TokenId): Promise<Ledger> {
  const { ledger } = await ownerOf(harness, tokenId)
  return ledger
}

/** Returns the owner of a token. */
export async function ownerOf({ parties }: LedgerHarness, tokenId: TokenId): Promise<Party> {
  const ledger = parties[0]?.ledger
  const access = await ledger?.access(tokenId, ledger.agent)
  const owner = parties.find((party) => party.ledger.agent === access?.owner)
  if (owner === undefined) throw new RangeError(`nobody owns ${tokenId}`)
  return owner
}

/** Returns the result of a call, or that of `other` when the call fails with a code. */
export async function recoverFrom<T>(
  code: FailureCode,
  call: Promise<T>,
  other: (error: unknown) => T | Promise<T>,
): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (isFailure(error, code)) return other(error)
    throw error
  }
}

/** A receipt of a transaction that was never made. */
export const falseReceipt = { txHash: `0x${'fa'.repeat(32)}` } as const

/** Returns a map key for a token and an account. */
export const shareKey = (tokenId: TokenId, account: Account) => `${tokenId}:${account}`

/** A subject with one fault, and the only law that this fault breaks. */
export type Broken<Subject> = {
  readonly law: string
  readonly fault: string
  readonly open: () => Promise<Subject>
}
