import type { LedgerWorld } from '../harness.ts'
import type { Broken } from './broken.ts'
import { brokenRememberers } from './ledger-idempotency.ts'
import { brokenMinters } from './ledger-mint.ts'
import { brokenRenters } from './ledger-rental.ts'
import { brokenRoyalties } from './ledger-royalty.ts'
import { brokenTraders } from './ledger-trade.ts'

/** One world for each law of ledgers. */
export const brokenLedgers: readonly Broken<LedgerWorld>[] = [
  ...brokenMinters,
  ...brokenTraders,
  ...brokenRoyalties,
  ...brokenRenters,
  ...brokenRememberers,
]
