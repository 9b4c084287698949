import { ledgerLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import fc from 'fast-check'
import { anvilHarnesses } from '../harness/chain/anvil.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import type { OpenHarness } from '../harness/chain/evm.ts'
import { times } from '../tier.ts'

// Each example of a law makes several real transactions.
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: times(3, 12),
})

const close = (world: OpenHarness) => world.close()

describeLaws('the ledger on the embedded chain', ledgerLaws, { open: openEmbeddedHarness, close })
describeLaws('the ledger on anvil, over JSON-RPC', ledgerLaws, {
  open: anvilHarnesses(),
  close,
})
