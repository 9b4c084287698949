import { wei } from '@heirloom/core'
import fc from 'fast-check'
import type { ServiceHarness } from '../../harness.ts'
import type { Model, Pick, Who } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { step } from '../step.ts'
import { runCopy } from './copy.ts'
import { runDownload } from './download.ts'
import { runList } from './list.ts'
import { runRent } from './rent.ts'

type Input = { readonly who: Who; readonly renter: Who; readonly pick: Pick }

/** Copies a token, as a thief does, rents the copy out, and lets the renter try to open it. */
export const rentedCopyCommand = fc
  .record({ who: arbitraryWho, renter: arbitraryWho, pick: arbitraryPick })
  .map((input) =>
    step(`rent out a copy ${JSON.stringify(input)}`, (model, harness) =>
      run(model, harness, input),
    ),
  )

async function run(model: Model, harness: ServiceHarness, { who, renter, pick }: Input) {
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
