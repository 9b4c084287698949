import { dollars, noPrices } from '@heirloom/core'
import fc from 'fast-check'
import type { ServiceHarness } from '../../harness.ts'
import { idOf, type Model, tokenOf } from '../model.ts'
import { type Drawn, step } from '../step.ts'
import { depositParts, runDeposit } from './deposit.ts'
import { runList } from './list.ts'
import { runOrder } from './order.ts'

const price = fc.bigInt({ min: 1n, max: 1_000_000n }).map(dollars)

const parts = {
  ...depositParts,
  act: fc.constantFrom('buy' as const, 'fork', 'rent'),
  prices: fc.record({ price, rentalPricePerDay: price, forkPrice: price }),
  forkRoyaltyBps: fc.constantFrom(0, 1000),
  /** Whether the order is paid at an address of its own. */
  isDeposit: fc.boolean(),
}

type Input = Drawn<typeof parts>

/** Lists a token in dollars in all ways, and makes an order for it. */
export const dollarSaleCommand = fc
  .record(parts)
  .map((input) => step(titleOf(input), (model, harness) => run(model, harness, input)))

const titleOf = ({ prices, ...input }: Input) =>
  `sell in dollars ${[...Object.values(prices), ...Object.values(input)].map(String).join(' ')}`

async function run(
  model: Model,
  harness: ServiceHarness,
  { pick, prices, forkRoyaltyBps, isDeposit, ...input }: Input,
) {
  const token = tokenOf(model, idOf(model, pick))
  if (token === undefined) return undefined
  const tokenId = token.id
  const terms = { ...noPrices, forkRoyaltyBps, dollars: prices }
  await runList(model, harness, { tokenId, lister: token.owner, terms })
  const order = { ...input, tokenId }
  return isDeposit ? runDeposit(model, harness, order) : runOrder(model, harness, order)
}
