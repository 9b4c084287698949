import { type Act, encodeAct } from '@heirloom/adapters/internal/acts'
import type { HeirActs } from '@heirloom/testkit'
import type { LocalAccount, PublicClient } from 'viem'
import type { ContractPair } from '../../../packages/adapters/src/ledger/contract-pair.ts'
import { sendOnce } from '../../../packages/adapters/src/ledger/send-once.ts'

/** A node, and the contracts of a pair. */
type PairChain = { readonly client: PublicClient; readonly contracts: ContractPair }

/** Returns the acts of a wallet for its heir and as an heir, sent by itself. */
export function heirActs({ client, contracts }: PairChain, wallet: LocalAccount): HeirActs {
  const send = async (act: Act) => {
    const { transactionHash } = await sendOnce({ client, wallet }, encodeAct(contracts, act))
    return { txHash: transactionHash }
  }
  return {
    nameHeir: async (plan) => send({ kind: 'nameHeir', ...(plan ?? { heir: undefined }) }),
    heartbeat: () => send({ kind: 'heartbeat' }),
    announceTakeover: (account) => send({ kind: 'announceTakeover', account }),
    takeOver: (account, tokenIds) => send({ kind: 'takeOver', account, tokenIds }),
  }
}
