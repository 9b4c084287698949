import type { ServiceHarness } from '../../harness.ts'
import { handOver, idOf, isShort, type Model, offerOf, settle, tokenOf } from '../model.ts'
import {
  arbitraryLimit,
  arbitraryPick,
  arbitraryRecipient,
  arbitraryWho,
  limitInput,
} from '../picks.ts'
import {
  agree,
  command,
  type Drawn,
  firstOf,
  receiverOf,
  recipientInput,
  serviceOf,
} from '../step.ts'

const parts = {
  who: arbitraryWho,
  pick: arbitraryPick,
  recipient: arbitraryRecipient,
  limit: arbitraryLimit,
}

/** Buys any token for any recipient. */
export const buyCommand = command('buy', parts, run)

async function run(model: Model, harness: ServiceHarness, input: Drawn<typeof parts>) {
  const { who, pick, recipient, limit } = input
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
  const call = { tokenId, ...recipientInput(harness, recipient), ...limitInput(limit, price) }
  const bought = await agree(model, 'buy', predicted, serviceOf(harness, who).buy(call))
  if (bought && token) {
    settle(model, who, token, price)
    handOver(token, receiverOf(recipient, who))
  }
  return token
}
