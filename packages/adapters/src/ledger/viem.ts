import { account, type Ledger, type Wei } from '@heirloom/core'
import { getAddress, type LocalAccount } from 'viem'
import { type Keccak, loadKeccak } from '../platform/keccak.ts'
import { ask, type Chain, connect } from './connection.ts'
import { contractSigned } from './signatures/contract-signature-check.ts'
import { keptReads } from './cached-reads.ts'
import type { LaneSettings } from './nonce-lane/lane-context.ts'
import { openLane } from './nonce-lane/nonce-lane.ts'
import { sqliteStore } from '../job-store/sqlite.ts'
import type { Store } from '../job-store/job-store.ts'
import type { ContractPair } from './contract-pair.ts'
import { type Reads, reads } from './reads.ts'
import { recogniser } from './signatures/signature-check.ts'
import type { SignerOf } from './signatures/signer-recovery.ts'
import { loadSigner } from './signatures/recovery-worker.ts'
import { writes } from './writes.ts'

export type { LaneEvent } from './nonce-lane/lane-context.ts'

/** A ledger that can be let go of. */
export type ViemLedger = Ledger & {
  /** Returns what the wallet holds, and what today (UTC) has cost or may still cost, in wei. */
  wallet(): Promise<{ readonly balance: Wei; readonly spentToday: Wei }>
  /** Returns what writes in a name have cost today (UTC) or may still cost, in wei. */
  spentInName(name: string): Promise<Wei>
  /** Ends the step under way; a store that was given stays open. */
  close(): Promise<void>
}

export declare namespace viemLedger {
  type Options = Partial<LaneSettings> & {
    /** The chain itself, or the HTTP address of one of its nodes. */
    readonly chain: Chain | URL
    /** The wallet that signs and pays. */
    readonly wallet: LocalAccount
    readonly contracts: ContractPair
    /** The id of the chain (EIP-155); the chain is asked for it when absent. */
    readonly chainId?: number | undefined
    /** Where writes are kept until they are done; in memory when absent, and so gone with the process. */
    readonly store?: Store
    /** How the signers of texts are found; the fastest that loads when absent. */
    readonly signerOf?: SignerOf
    /** How messages are hashed; the fastest that loads when absent. */
    readonly keccak?: Keccak
  }
}

const usual: LaneSettings = {
  limits: {},
  confirmations: 1,
  reorgDepth: 0,
  window: 16,
  stuckAfter: 30_000,
  cancelAfter: 600_000,
  resendAfter: 2_000,
  outage: 3_000,
  patience: 120_000,
  now: () => Date.now(),
  observe: () => undefined,
}

/** Returns the ledger that lives in a contract pair on an EVM chain. */
export async function viemLedger({
  chain,
  wallet,
  contracts,
  chainId: known,
  signerOf,
  keccak,
  store: given,
  ...settings
}: viemLedger.Options): Promise<ViemLedger> {
  const client = connect(chain)
  const hashing = keccak ?? (await loadKeccak())
  const isHere = !(chain instanceof URL)
  const chainId = known ?? (await ask('eth_chainId', () => client.getChainId()))
  const store = given ?? (await sqliteStore(':memory:'))
  const lane = openLane({ ...usual, ...settings, client, wallet, store })
  if (given !== undefined) lane.resume()
  return {
    agent: account(wallet.address),
    registry: { chainId, address: account(getAddress(contracts.registry)) },
    ...readsOf(chain, reads(client, contracts, settings.confirmations)),
    ...writes(lane, contracts),
    signed: recogniser({ client, signerOf: signerOf ?? (await loadSigner()) }),
    contractSigned: contractSigned({ client, keccak: hashing, isHere }),
    wallet: lane.wallet,
    spentInName: lane.spentInName,
    close: async () => {
      await lane.close()
      if (given === undefined) await store.close()
    },
  }
}

function readsOf(chain: Chain | URL, asking: Reads): Reads {
  const stateVersion = chain instanceof URL ? undefined : chain.stateVersion
  return stateVersion === undefined ? asking : keptReads(asking, stateVersion)
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
