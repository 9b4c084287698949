import { type Wei, wei } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBps } from '../../arbitraries/money.ts'
import type { World } from '../../harness.ts'
import { idOf, type Model, type ModelToken, type Pick, tokenOf, type Who } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { step } from '../step.ts'
import { playFork } from './fork.ts'
import { playList } from './list.ts'

type Input = {
  readonly who: Who
  readonly pick: Pick
  /** The share that each owner asks in turn, in basis points. */
  readonly shares: readonly number[]
  readonly price: Wei
}

/** A share that leaves something to further claims. */
const small = fc.integer({ min: 0, max: 900 })

/** Forks a token, then one's own fork, and so on: how someone would wear the claims above out. */
export const forkLineCommand = fc
  .record({
    who: arbitraryWho,
    pick: arbitraryPick,
    shares: fc.oneof(
      { weight: 1, arbitrary: fc.array(small, { minLength: 9, maxLength: 10 }) },
      { weight: 5, arbitrary: fc.array(arbitraryBps, { minLength: 2, maxLength: 2 }) },
    ),
    price: fc.bigInt({ min: 1n, max: 3n }).map((amount) => wei(amount)),
  })
  .map((input) =>
    step(`fork line ${input.pick} by ${input.who} at ${input.shares}`, (model, world) =>
      play(model, world, input),
    ),
  )

async function play(
  model: Model,
  world: World,
  { who, pick, shares, price }: Input,
): Promise<ModelToken | undefined> {
  let last = tokenOf(model, idOf(model, pick))
  for (const forkRoyaltyBps of shares) {
    if (last === undefined) return undefined
    const terms = { price: wei(0n), rentalPricePerDay: wei(0n), forkPrice: price, forkRoyaltyBps }
    await playList(model, world, { tokenId: last.id, lister: last.owner, terms })
    const fork = { who, tokenId: last.id, recipient: undefined }
    last = await playFork(model, world, { ...fork, limit: 'none', royalty: 'none' })
  }
  return last
}
