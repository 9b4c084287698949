import { ledgerLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { anvilHarnesses } from '../harness/chain/anvil.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import type { OpenHarness } from '../harness/chain/evm.ts'
import { withRuns } from '../harness/with-runs.ts'
import { times } from '../tier.ts'

const close = (world: OpenHarness) => world.close()

// Each example of a law makes several real transactions.
describeLaws('the ledger on the embedded chain', ledgerLaws, {
  open: withRuns(times(3, 12), openEmbeddedHarness),
  close,
})
describeLaws('the ledger on anvil, over JSON-RPC', ledgerLaws, {
  open: withRuns(times(1, 12), anvilHarnesses()),
  close,
})
