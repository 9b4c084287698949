import { type Wei, wei } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBps } from '../../arbitraries/money.ts'
import type { ServiceHarness } from '../../harness.ts'
import { idOf, type Model, type ModelToken, type Pick, tokenOf, type Who } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { step } from '../step.ts'
import { runFork } from './fork.ts'
import { runList } from './list.ts'

type Input = {
  readonly who: Who
  readonly pick: Pick
  /** The royalty of each fork in turn, in basis points. */
  readonly shares: readonly number[]
  readonly price: Wei
}

/** A share that leaves room for further claims. */
const smallShare = fc.integer({ min: 0, max: 900 })

/** Forks a token, then the fork, and so on, as an attacker who wants to displace older claims. */
export const forkLineCommand = fc
  .record({
    who: arbitraryWho,
    pick: arbitraryPick,
    shares: fc.oneof(
      { weight: 1, arbitrary: fc.array(smallShare, { minLength: 9, maxLength: 10 }) },
      { weight: 5, arbitrary: fc.array(arbitraryBps, { minLength: 2, maxLength: 2 }) },
    ),
    price: fc.bigInt({ min: 1n, max: 3n }).map((amount) => wei(amount)),
  })
  .map((input) =>
    step(`fork line ${input.pick} by ${input.who} at ${input.shares}`, (model, harness) =>
      run(model, harness, input),
    ),
  )

async function run(
  model: Model,
  harness: ServiceHarness,
  { who, pick, shares, price }: Input,
): Promise<ModelToken | undefined> {
  let last = tokenOf(model, idOf(model, pick))
  for (const forkRoyaltyBps of shares) {
    if (last === undefined) return undefined
    const terms = { price: wei(0n), rentalPricePerDay: wei(0n), forkPrice: price, forkRoyaltyBps }
    await runList(model, harness, { tokenId: last.id, lister: last.owner, terms })
    const fork = { who, tokenId: last.id, recipient: undefined }
    last = await runFork(model, harness, { ...fork, limit: 'none', royalty: 'none' })
  }
  return last
}
