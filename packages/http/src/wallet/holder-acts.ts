import { account, Failure, nobody, requireFound, sameAccount, tokenId } from '@heirloom/core'
import { encodeTokenId } from '../client/transport/encode-values.ts'
import { type Actor, idempotencyOf } from './actor.ts'
import type { Acts } from './wallet.ts'

/** Returns the acts that only the holder of a token or of credit can do. */
export const holderActs = (actor: Actor): Pick<Acts, 'withdraw' | 'transfer'> => ({
  withdraw: async ({ to = actor.agent } = {}, options = {}) => {
    const idempotency = idempotencyOf(options, 'withdraw', to)
    const earlier = idempotency && (await actor.recall('withdraw', idempotency))
    if (earlier === undefined) await requireCredit(actor, to)
    const act = { kind: 'withdraw', to } as const
    const { txHash, withdrawn = 0n } = await actor.perform(act, idempotency, options)
    return { txHash, amount: `${withdrawn}` }
  },
  transfer: async (id, { to }, options = {}) => {
    const of = tokenId(encodeTokenId(id))
    const { agent: from, reads } = actor
    const idempotency = idempotencyOf(options, 'transfer', [of, to])
    const earlier = idempotency && (await actor.recall('transfer', idempotency))
    if (earlier !== undefined) return { txHash: earlier.txHash }
    refuseNobody(to)
    const { owner } = requireFound(of, await reads.access(of, from))
    if (!sameAccount(owner, from)) {
      throw new Failure('token/not-owner', { tokenId: of, account: from })
    }
    const act = { kind: 'transfer', tokenId: of, from, to } as const
    return { txHash: (await actor.perform(act, idempotency, options)).txHash }
  },
})

async function requireCredit({ agent, readCredit }: Actor, to: string): Promise<void> {
  refuseNobody(to)
  if ((await readCredit()) === 0n) throw new Failure('credit/none', { account: agent })
}

function refuseNobody(to: string): void {
  const recipient = account(to)
  if (sameAccount(recipient, nobody)) throw new Failure('recipient/invalid', { recipient })
}
