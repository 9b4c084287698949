import fc from 'fast-check'
import { giveSign, handOver, idOf, tokenOf } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { partyOf, step } from '../step.ts'

/** Transfers a token outside the market, possibly to its owner. */
export const transferCommand = fc
  .record({ pick: arbitraryPick, to: arbitraryWho })
  .map(({ pick, to }) =>
    step(`transfer ${pick} to ${to}`, async (model, harness) => {
      const token = tokenOf(model, idOf(model, pick))
      if (token === undefined) return undefined
      await partyOf(harness, token.owner).transfer(token.id, partyOf(harness, to).ledger.agent)
      model.tally(`transfer to ${token.owner === to ? 'itself' : 'another'}: success`)
      giveSign(model, token.owner, harness.now())
      handOver(token, to)
      return token
    }),
  )
