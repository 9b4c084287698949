import { type DollarPrices, dollars, noPrices } from '@heirloom/core'
import fc from 'fast-check'
import type { ServiceHarness } from '../../harness.ts'
import { idOf, type Model, type Pick, tokenOf } from '../model.ts'
import { step } from '../step.ts'
import { type DepositInput, depositParts, runDeposit } from './deposit.ts'
import { runList } from './list.ts'
import { runOrder } from './order.ts'

type Input = Omit<DepositInput, 'tokenId'> & {
  readonly pick: Pick
  readonly prices: DollarPrices
  readonly forkRoyaltyBps: number
  /** Whether the order is paid at an address of its own. */
  readonly isDeposit: boolean
}

const price = fc.bigInt({ min: 1n, max: 1_000_000n }).map(dollars)

/** Lists a token in dollars in all ways, and makes an order for it. */
export const dollarSaleCommand = fc
  .record({
    ...depositParts,
    act: fc.constantFrom('buy' as const, 'fork', 'rent'),
    prices: fc.record({ price, rentalPricePerDay: price, forkPrice: price }),
    forkRoyaltyBps: fc.constantFrom(0, 1000),
    isDeposit: fc.boolean(),
  })
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
