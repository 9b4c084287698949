import { account, Failure, nobody, sameAccount, tokenId } from '@heirloom/core'
import { encodeTokenId } from '../client/transport/encode-values.ts'
import { type Actor, idempotencyOf } from './actor.ts'
import type { Acts } from './wallet.ts'

/**
 * Returns the acts that only the holder of a token or of credit can do. The contracts decide on them,
 * in the simulation before anything is signed.
 */
export const holderActs = (actor: Actor): Pick<Acts, 'withdraw' | 'transfer'> => ({
  withdraw: async ({ to = actor.agent } = {}, options = {}) => {
    refuseNobody(to)
    const idempotency = idempotencyOf(options, 'withdraw', to)
    const act = { kind: 'withdraw', to } as const
    const { txHash, withdrawn = 0n } = await actor.perform(act, idempotency, options)
    return { txHash, amount: `${withdrawn}` }
  },
  transfer: async (id, { to }, options = {}) => {
    const of = tokenId(encodeTokenId(id))
    const idempotency = idempotencyOf(options, 'transfer', [of, to])
    const act = { kind: 'transfer', tokenId: of, from: actor.agent, to: account(to) } as const
    return { txHash: (await actor.perform(act, idempotency, options)).txHash }
  },
})

// The marketplace pays any address, and what the zero address gets is lost.
function refuseNobody(to: string): void {
  const recipient = account(to)
  if (sameAccount(recipient, nobody)) throw new Failure('recipient/invalid', { recipient })
}
