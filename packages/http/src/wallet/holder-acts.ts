import {
  type Account,
  account,
  Failure,
  type Hex,
  nobody,
  sameAccount,
  tokenId,
} from '@heirloom/core'
import { encodeTokenId } from '../client/transport/encode-values.ts'
import { type Actor, idempotencyOf } from './actor.ts'
import type { Acts } from './wallet.ts'

/**
 * Returns the acts that only the holder of a token or of credit can do. The contracts decide on them,
 * in the simulation before anything is signed.
 */
export const holderActs = (actor: Actor): Pick<Acts, 'withdraw' | 'transfer'> => ({
  withdraw: async ({ to: given, currency = 'native' } = {}, options = {}) => {
    const to = readReceiver(given ?? actor.agent)
    const idempotency = idempotencyOf(options, 'withdraw', [to, currency])
    const asset = currency === 'dollar' ? await requireAsset(actor) : undefined
    const kind = asset === undefined ? 'withdraw' : 'withdrawDollars'
    const { txHash, withdrawn = 0n } = await actor.perform({ kind, to }, idempotency, options)
    if (asset === undefined) return { txHash, amount: `${withdrawn}` }
    return { txHash, amount: '0', dollars: { asset, amount: `${withdrawn}` } }
  },
  transfer: async (id, { to }, options = {}) => {
    const of = tokenId(encodeTokenId(id))
    const idempotency = idempotencyOf(options, 'transfer', [of, to])
    const act = { kind: 'transfer', tokenId: of, from: actor.agent, to: account(to) } as const
    return { txHash: (await actor.perform(act, idempotency, options)).txHash }
  },
})

async function requireAsset({ readDollars }: Actor): Promise<Hex> {
  const holding = await readDollars()
  if (holding === undefined) throw new Failure('dollar/missing', {})
  return holding.asset
}

// The marketplace pays any address, and what the zero address gets is lost.
function readReceiver(to: string): Account {
  const recipient = account(to)
  if (sameAccount(recipient, nobody)) throw new Failure('recipient/invalid', { recipient })
  return recipient
}
