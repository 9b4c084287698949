import fc from 'fast-check'
import { handOver, idOf, tokenOf } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { partyOf, step } from '../step.ts'

/** Hands a token over outside the market, possibly to its owner. */
export const transferCommand = fc
  .record({ pick: arbitraryPick, to: arbitraryWho })
  .map(({ pick, to }) =>
    step(`transfer ${pick} to ${to}`, async (model, world) => {
      const token = tokenOf(model, idOf(model, pick))
      if (token === undefined) return undefined
      await partyOf(world, token.owner).transfer(token.id, partyOf(world, to).ledger.agent)
      model.tally(`transfer to ${token.owner === to ? 'itself' : 'another'}: success`)
      handOver(token, to)
      return token
    }),
  )
