import type { Account, Dollars, Hex, Idempotency, Ledger, Wei } from '@heirloom/core'
import type { Act } from '../ledger/acts/index.ts'
import type { OrderGift } from './open-orders.ts'
import type { Performed, WalletAct } from './performer.ts'
import type { SignedAct } from './signed-act.ts'
import { type WalletLedger, walletLedger } from './wallet-ledger.ts'

/** The options of an act. */
export type ActOptions = {
  readonly signal?: AbortSignal | undefined
  /** Called with the hash of what may reach the chain, and where a server relays it, with that itself. */
  readonly onSent?: ((hash: Hex, signed?: SignedAct) => void) | undefined
}

/** The account that acts: one that performs its acts, or one that only simulates them. */
export type Actor = Pick<walletLedger.Parts, 'reads' | 'recall' | 'now'> & {
  /** Stores the result of an act that was performed before, under its key. */
  readonly record: (idempotency: Idempotency, performed: Performed) => void
  readonly agent: Account
  /** Performs an act, once for each idempotency key. */
  readonly perform: (
    act: WalletAct,
    idempotency: Idempotency | undefined,
    options: ActOptions,
  ) => Promise<Performed>
  /**
   * Returns the effects of an order for the same that was carried out, and whose end nobody was told.
   *
   * @throws `ledger/unavailable`
   */
  readonly recallOrder: (gift: OrderGift) => Promise<Performed | undefined>
  /**
   * Simulates an act and signs nothing.
   *
   * @throws the failure that a revert names, `wallet/short`, `wallet/call-limit`, `wallet/day-limit`,
   * `ledger/unavailable`
   */
  readonly requirePayable: (act: Act) => Promise<void>
  readonly readCredit: () => Promise<Wei>
  /** Returns the asset, the balance and the credit in dollars; `undefined` without a dollar. */
  readonly readDollars: () => Promise<DollarHolding | undefined>
}

/** The dollars of an account, and its credit at the marketplace. */
export type DollarHolding = {
  readonly asset: Hex
  readonly balance: Dollars
  readonly credit: Dollars
}

/** Returns the ledger of an actor for one act. */
export function ledgerFor(actor: Actor, options: ActOptions): WalletLedger & Pick<Ledger, 'agent'> {
  const perform: walletLedger.Parts['perform'] = (act, idempotency) =>
    actor.perform(act, idempotency, options)
  return walletLedger({ ...actor, perform })
}
