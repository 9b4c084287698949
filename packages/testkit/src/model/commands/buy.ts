import fc from 'fast-check'
import type { ServiceHarness } from '../../harness.ts'
import {
  handOver,
  idOf,
  isShort,
  type Model,
  offerOf,
  type Pick,
  settle,
  tokenOf,
  type Who,
} from '../model.ts'
import {
  arbitraryLimit,
  arbitraryPick,
  arbitraryRecipient,
  arbitraryWho,
  type Limit,
  limitInput,
} from '../picks.ts'
import {
  agree,
  firstOf,
  type Recipient,
  receiverOf,
  recipientInput,
  serviceOf,
  step,
} from '../step.ts'

type Input = {
  readonly who: Who
  readonly pick: Pick
  readonly recipient: Recipient
  readonly limit: Limit
}

/** Buys any token for any recipient. */
export const buyCommand = fc
  .record({
    who: arbitraryWho,
    pick: arbitraryPick,
    recipient: arbitraryRecipient,
    limit: arbitraryLimit,
  })
  .map((input) =>
    step(`buy ${JSON.stringify(input)}`, (model, harness) => run(model, harness, input)),
  )

async function run(model: Model, harness: ServiceHarness, { who, pick, recipient, limit }: Input) {
  const tokenId = idOf(model, pick, (token) => offerOf(token, 'price').amount > 0n)
  const token = tokenOf(model, tokenId)
  const { amount: price, isInDollars } = offerOf(token, 'price')
  const predicted = firstOf(
    [token === undefined, 'token/not-found'],
    [price === 0n, 'listing/not-for-sale'],
    [isInDollars, 'listing/currency-changed'],
    [limit === 'less', 'listing/over-max-price'],
    [isShort(model, who, price), 'wallet/short'],
    [recipient === 'nobody', 'recipient/invalid'],
  )
  const input = { tokenId, ...recipientInput(harness, recipient), ...limitInput(limit, price) }
  const bought = await agree(model, 'buy', predicted, serviceOf(harness, who).buy(input))
  if (bought && token) {
    settle(model, who, token, price)
    handOver(token, receiverOf(recipient, who))
  }
  return token
}
