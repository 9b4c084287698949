import { dollars, noPrices } from '@heirloom/core'
import fc from 'fast-check'
import type { ServiceHarness } from '../../harness.ts'
import { idOf, type Model, tokenOf } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { type Drawn, step } from '../step.ts'
import { runDeposit } from './deposit.ts'
import { runList } from './list.ts'
import { runOrder } from './order.ts'
import { runRent } from './rent.ts'

const parts = {
  who: arbitraryWho,
  pick: arbitraryPick,
  perDay: fc.bigInt({ min: 1n, max: 1_000_000n }),
  /** The days of the renewal, which are too many for some of them. */
  days: fc.constantFrom(1, 60, 340, 365),
  /** Whether the renewal is paid at an address of its own. */
  isDeposit: fc.boolean(),
}

/** Lists a token in dollars, and rents it three times: twice by orders, and once in wei. */
export const dollarRentalCommand = fc
  .record(parts)
  .map((input) =>
    step(`rent in dollars ${Object.values(input)}`, (model, harness) => run(model, harness, input)),
  )

async function run(
  model: Model,
  harness: ServiceHarness,
  { who, pick, perDay, days, isDeposit }: Drawn<typeof parts>,
) {
  const token = tokenOf(model, idOf(model, pick))
  if (token === undefined) return undefined
  const tokenId = token.id
  const prices = {
    price: dollars(0n),
    forkPrice: dollars(0n),
    rentalPricePerDay: dollars(perDay),
  }
  const terms = { ...noPrices, forkRoyaltyBps: 0, dollars: prices }
  await runList(model, harness, { tokenId, lister: token.owner, terms })
  const rental = { tokenId, who, recipient: undefined }
  const order = { ...rental, act: 'rent', flaw: 'none', amount: 0n } as const
  await runOrder(model, harness, { ...order, days: 60 })
  const renewal = { ...order, days }
  if (isDeposit) await runDeposit(model, harness, { ...renewal, part: 'exact', next: 'settle' })
  else await runOrder(model, harness, renewal)
  return runRent(model, harness, { ...rental, days: 1, limit: 'none' })
}
