import fc from 'fast-check'
import type { World } from '../../harness.ts'
import {
  handOver,
  idOf,
  isShort,
  type Model,
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
import { agree, firstOf, heirOf, type Recipient, recipientInput, serviceOf, step } from '../step.ts'

type Input = {
  readonly who: Who
  readonly pick: Pick
  readonly recipient: Recipient
  readonly limit: Limit
}

/** Buys a token, perhaps one's own, perhaps for another. */
export const buyCommand = fc
  .record({
    who: arbitraryWho,
    pick: arbitraryPick,
    recipient: arbitraryRecipient,
    limit: arbitraryLimit,
  })
  .map((input) => step(`buy ${JSON.stringify(input)}`, (model, world) => play(model, world, input)))

async function play(model: Model, world: World, { who, pick, recipient, limit }: Input) {
  const tokenId = idOf(model, pick, ({ terms }) => (terms?.price ?? 0n) > 0n)
  const token = tokenOf(model, tokenId)
  const price = token?.terms?.price ?? 0n
  const predicted = firstOf(
    [token === undefined, 'token/not-found'],
    [price === 0n, 'listing/not-for-sale'],
    [limit === 'less', 'listing/over-max-price'],
    [isShort(model, who, price), 'wallet/short'],
    [recipient === 'nobody', 'recipient/invalid'],
  )
  const input = { tokenId, ...recipientInput(world, recipient), ...limitInput(limit, price) }
  const bought = await agree(model, 'buy', predicted, serviceOf(world, who).buy(input))
  if (bought && token) {
    settle(model, who, token, price)
    handOver(token, heirOf(recipient, who))
  }
  return token
}
