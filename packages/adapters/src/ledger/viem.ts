import { account, type Ledger } from '@heirloom/core'
import type { LocalAccount } from 'viem'
import { ask, type Chain, connect } from './connection.ts'
import type { ContractPair } from './pair.ts'
import { reads } from './reads.ts'
import { loadRecover, type Recover } from './recovery.ts'
import { sender } from './sender.ts'
import { signed } from './signature.ts'
import { writes } from './writes.ts'

export declare namespace viemLedger {
  type Options = {
    /** The chain itself, or the HTTP address of one of its nodes. */
    readonly chain: Chain | URL
    /** The wallet that signs and pays; nothing else may send from it at the same time. */
    readonly wallet: LocalAccount
    readonly contracts: ContractPair
    /** How public keys are recovered; the fastest that loads when absent. */
    readonly recover?: Recover
  }
}

/** Returns the ledger that lives in a contract pair on an EVM chain. */
export async function viemLedger({
  chain,
  wallet,
  contracts,
  recover,
}: viemLedger.Options): Promise<Ledger> {
  const client = connect(chain)
  const recogniser = { client, recover: recover ?? (await loadRecover()) }
  return {
    agent: account(wallet.address),
    ...reads(client, contracts),
    ...writes(sender({ client, wallet }), contracts),
    signed: (statement) => signed(recogniser, statement),
  }
}

/**
 * Returns the chain's id and the height of its head.
 *
 * @throws `ledger/unavailable`
 */
export async function chainState(
  chain: Chain | URL,
): Promise<{ readonly chainId: number; readonly height: bigint }> {
  const client = connect(chain)
  const [chainId, height] = await ask('eth_chainId', () =>
    Promise.all([client.getChainId(), client.getBlockNumber()]),
  )
  return { chainId, height }
}
