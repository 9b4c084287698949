import type { LedgerHarness } from '../../src/harness.ts'
import type { Broken } from './faulty-harness.ts'
import { brokenDollars } from './ledger-dollars.ts'
import { brokenIdempotency } from './ledger-idempotency.ts'
import { brokenMints } from './ledger-mint.ts'
import { brokenRentals } from './ledger-rental.ts'
import { brokenRoyalties } from './ledger-royalty.ts'
import { brokenTrades } from './ledger-trade.ts'

/** A harness with broken ledgers for each law. */
export const brokenLedgers: readonly Broken<LedgerHarness>[] = [
  ...brokenMints,
  ...brokenTrades,
  ...brokenDollars,
  ...brokenRoyalties,
  ...brokenRentals,
  ...brokenIdempotency,
]
