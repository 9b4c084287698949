import { type Account, heirDays, tokenId } from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { encodeTokenId } from '../client/transport/request-line.ts'
import { type Actor, idempotencyOf } from './actor.ts'
import type { Acts } from './wallet.ts'

/** The names of the acts of an account that has an heir, and of that heir. */
type HeirAct =
  | 'nameHeir'
  | 'clearHeir'
  | 'heartbeat'
  | 'announceTakeover'
  | 'takeOver'
  | 'takeOverCredit'

/**
 * Returns the acts of an account that leaves its tokens to an heir, and those of the heir. The contracts
 * decide on them, in the simulation before anything is signed.
 */
export const heirActs = (actor: Actor): Pick<Acts, HeirAct> => ({
  nameHeir: async ({ heir, silenceDays, noticeDays }, options = {}) => {
    const days = { silenceDays: heirDays(silenceDays), noticeDays: heirDays(noticeDays) }
    const act = { kind: 'nameHeir', heir: readAddress(heir), ...days } as const
    const idempotency = idempotencyOf(options, 'nameHeir', [act.heir, silenceDays, noticeDays])
    return { txHash: (await actor.perform(act, idempotency, options)).txHash }
  },
  clearHeir: async (options = {}) => {
    const idempotency = idempotencyOf(options, 'clearHeir', [])
    const act = { kind: 'nameHeir', heir: undefined } as const
    return { txHash: (await actor.perform(act, idempotency, options)).txHash }
  },
  heartbeat: async (options = {}) => {
    const idempotency = idempotencyOf(options, 'heartbeat', [])
    return { txHash: (await actor.perform({ kind: 'heartbeat' }, idempotency, options)).txHash }
  },
  ...successorActs(actor),
})

const successorActs = (
  actor: Actor,
): Pick<Acts, 'announceTakeover' | 'takeOver' | 'takeOverCredit'> => ({
  announceTakeover: async (of, options = {}) => {
    const account: Account = readAddress(of)
    const idempotency = idempotencyOf(options, 'announceTakeover', account)
    const act = { kind: 'announceTakeover', account } as const
    const { txHash, takeoverAt = 0n } = await actor.perform(act, idempotency, options)
    return { txHash, takeoverAt: `${takeoverAt}` }
  },
  takeOver: async (of, { tokenIds: ids }, options = {}) => {
    const account = readAddress(of)
    const tokenIds = ids.map((id) => tokenId(encodeTokenId(id, 'tokenIds')))
    const idempotency = idempotencyOf(options, 'takeOver', [account, tokenIds])
    const act = { kind: 'takeOver', account, tokenIds } as const
    return { txHash: (await actor.perform(act, idempotency, options)).txHash }
  },
  takeOverCredit: async (of, options = {}) => {
    const account = readAddress(of)
    const idempotency = idempotencyOf(options, 'takeOverCredit', account)
    const act = { kind: 'takeOverCredit', account } as const
    const { txHash, creditTakenOver } = await actor.perform(act, idempotency, options)
    const { amount = 0n, dollars = 0n } = creditTakenOver ?? {}
    return { txHash, amount: `${amount}`, dollars: `${dollars}` }
  },
})
