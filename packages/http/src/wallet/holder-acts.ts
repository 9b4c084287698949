import {
  type Account,
  account,
  Failure,
  type Idempotency,
  nobody,
  sameAccount,
  tokenId,
} from '@heirloom/core'
import { encodeTokenId } from '../client/transport/encode-values.ts'
import { type Actor, idempotencyOf } from './actor.ts'
import type { ActOptions, Acts, Withdrawn } from './wallet.ts'

/**
 * Returns the acts that only the holder of a token or of credit can do. The contracts decide on them,
 * in the simulation before anything is signed.
 */
export const holderActs = (actor: Actor): Pick<Acts, 'withdraw' | 'transfer'> => ({
  withdraw: async ({ to: given, currency = 'native' } = {}, options = {}) => {
    const to = readReceiver(given ?? actor.agent)
    const idempotency = idempotencyOf(options, 'withdraw', [to, currency])
    const call = { to, idempotency, options }
    return currency === 'native' ? withdrawNative(actor, call) : withdrawDollars(actor, call)
  },
  transfer: async (id, { to }, options = {}) => {
    const of = tokenId(encodeTokenId(id))
    const idempotency = idempotencyOf(options, 'transfer', [of, to])
    const act = { kind: 'transfer', tokenId: of, from: actor.agent, to: account(to) } as const
    return { txHash: (await actor.perform(act, idempotency, options)).txHash }
  },
})

type Withdrawal = {
  readonly to: Account
  readonly idempotency: Idempotency | undefined
  readonly options: ActOptions
}

async function withdrawNative(
  actor: Actor,
  { to, idempotency, options }: Withdrawal,
): Promise<Withdrawn> {
  const act = { kind: 'withdraw', to } as const
  const { txHash, withdrawn = 0n } = await actor.perform(act, idempotency, options)
  return { txHash, amount: `${withdrawn}` }
}

async function withdrawDollars(
  actor: Actor,
  { to, idempotency, options }: Withdrawal,
): Promise<Withdrawn> {
  const holding = await actor.readDollars()
  if (holding === undefined) throw new Failure('dollar/missing', {})
  const act = { kind: 'withdrawDollars', to } as const
  const { txHash, withdrawn = 0n } = await actor.perform(act, idempotency, options)
  return { txHash, amount: '0', dollars: { asset: holding.asset, amount: `${withdrawn}` } }
}

// The marketplace pays any address, and what the zero address gets is lost.
function readReceiver(to: string): Account {
  const recipient = account(to)
  if (sameAccount(recipient, nobody)) throw new Failure('recipient/invalid', { recipient })
  return recipient
}
