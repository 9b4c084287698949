import type { LedgerHarness } from '../harness.ts'
import type { Law } from './law.ts'
import { depositLaws } from './ledger/deposits.ts'
import { dollarLaws } from './ledger/dollars.ts'
import { forkLaws } from './ledger/fork.ts'
import { idempotencyLaws } from './ledger/idempotency.ts'
import { listingLaws } from './ledger/listing.ts'
import { mintLaws } from './ledger/mint.ts'
import { paymentLaws } from './ledger/payment.ts'
import { rentalLaws } from './ledger/rental.ts'
import { royaltyLaws } from './ledger/royalty.ts'
import { saleLaws } from './ledger/sale.ts'
import { signatureLaws } from './ledger/signature.ts'
import { sourceLaws } from './ledger/source.ts'

/** The laws of every `Ledger`, checked with several wallets on one chain. */
export const ledgerLaws: readonly Law<LedgerHarness>[] = [
  ...mintLaws,
  ...listingLaws,
  ...saleLaws,
  ...dollarLaws,
  ...depositLaws,
  ...rentalLaws,
  ...sourceLaws,
  ...forkLaws,
  ...royaltyLaws,
  ...paymentLaws,
  ...signatureLaws,
  ...idempotencyLaws,
]
