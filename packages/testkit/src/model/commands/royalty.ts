import type { Wei } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryPrice } from '../../arbitraries/money.ts'
import type { ServiceHarness } from '../../harness.ts'
import { idOf, isShort, type Model, type Pick, pay, tokenOf, type Who } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { agree, firstOf, serviceOf, step } from '../step.ts'

type Input = { readonly who: Who; readonly pick: Pick; readonly amount: Wei }

/** Pays a royalty to the creator of a token. */
export const royaltyCommand = fc
  .record({ who: arbitraryWho, pick: arbitraryPick, amount: arbitraryPrice })
  .map((input) =>
    step(`royalty of ${input.amount} for ${input.pick} by ${input.who}`, (model, harness) =>
      run(model, harness, input),
    ),
  )

async function run(model: Model, harness: ServiceHarness, { who, pick, amount }: Input) {
  const tokenId = idOf(model, pick)
  const token = tokenOf(model, tokenId)
  const predicted = firstOf(
    [amount === 0n, 'royalty/zero'],
    [token === undefined, 'token/not-found'],
    [isShort(model, who, amount), 'wallet/short'],
  )
  const payment = serviceOf(harness, who).royalty({ tokenId, amount })
  const paid = await agree(model, 'royalty', predicted, payment)
  if (paid && token) {
    pay(model, who, -amount)
    pay(model, token.creator, amount)
  }
  return token
}
