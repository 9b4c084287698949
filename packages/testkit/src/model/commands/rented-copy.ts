import { wei } from '@heirloom/core'
import type { ServiceHarness } from '../../harness.ts'
import type { Model } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { command, type Drawn } from '../step.ts'
import { runCopy } from './copy.ts'
import { runDownload } from './download.ts'
import { runList } from './list.ts'
import { runRent } from './rent.ts'

const parts = { who: arbitraryWho, renter: arbitraryWho, pick: arbitraryPick }

/** Copies a token, as a thief does, rents the copy out, and lets the renter try to open it. */
export const rentedCopyCommand = command('rent out a copy', parts, run)

async function run(model: Model, harness: ServiceHarness, input: Drawn<typeof parts>) {
  const { who, renter, pick } = input
  const copy = await runCopy(model, harness, { who, pick, parent: undefined, recipient: undefined })
  if (copy === undefined) return undefined
  const free = { price: wei(0n), forkPrice: wei(0n), forkRoyaltyBps: 0 }
  const terms = { ...free, rentalPricePerDay: wei(1n) }
  await runList(model, harness, { tokenId: copy.id, lister: copy.owner, terms })
  const rental = { who: renter, days: 7, recipient: undefined, limit: 'none' } as const
  await runRent(model, harness, { ...rental, tokenId: copy.id })
  const role = renter === copy.owner ? 'owner' : 'renter'
  return runDownload(model, harness, {
    token: copy,
    tokenId: copy.id,
    who: renter,
    role,
    through: renter,
    kind: 'fresh' as const,
  })
}
