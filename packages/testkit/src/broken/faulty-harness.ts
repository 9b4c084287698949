import {
  type Account,
  type FailureCode,
  isFailure,
  type Ledger,
  type TokenId,
} from '@heirloom/core'
import { memoryWorld } from '../fakes/harness.ts'
import type { LedgerWorld, Party } from '../harness.ts'

/** What a fault changes of a party, given that party as it should be and the sound world. */
export type Fault = (inner: Ledger, world: LedgerWorld) => Partial<Ledger>

/** Returns how to open a world all of whose ledgers share a fault. */
export function worldWith(makeFault: () => Fault): () => Promise<LedgerWorld> {
  return async () => {
    const world = memoryWorld()
    const fault = makeFault()
    const faulty = (party: Party) => ({
      ...party,
      ledger: { ...party.ledger, ...fault(party.ledger, world) },
    })
    return { ...world, parties: world.parties.map(faulty), pauper: faulty(world.pauper) }
  }
}

/** Returns the ledger of a token's owner. */
export async function ownersLedger(world: LedgerWorld, tokenId: TokenId): Promise<Ledger> {
  const { ledger } = await ownerOf(world, tokenId)
  return ledger
}

/** Returns the owner of a token. */
export async function ownerOf({ parties }: LedgerWorld, tokenId: TokenId): Promise<Party> {
  const ledger = parties[0]?.ledger
  const access = await ledger?.access(tokenId, ledger.agent)
  const owner = parties.find((party) => party.ledger.agent === access?.owner)
  if (owner === undefined) throw new RangeError(`nobody owns ${tokenId}`)
  return owner
}

/** Returns another outcome when a call fails with a code. */
export async function instead<T>(
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

/** A receipt for something that never happened. */
export const falseReceipt = { txHash: `0x${'fa'.repeat(32)}` } as const

/** Returns the name of an account's part in a token. */
export const partIn = (tokenId: TokenId, account: Account) => `${tokenId}:${account}`
