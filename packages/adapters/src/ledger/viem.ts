import {
  type Account,
  account,
  type Budget,
  Failure,
  type Ledger,
  type Receipt,
  type TokenId,
  type Wei,
} from '@heirloom/core'
import { getAddress, type Hex, type LocalAccount } from 'viem'
import type { NodeResponse } from '../platform/http-transport.ts'
import { type Keccak, loadKeccak } from '../platform/keccak.ts'
import { allMeans, type Means } from '../platform/means.ts'
import { sqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { type HeirReading, readHeirPlan } from './acts/read-heir-plan.ts'
import { cachedReads } from './cached-reads.ts'
import { type Chain, connect, isLocalChain } from './connection.ts'
import type { ContractPair, DeployedPair } from './contract-pair.ts'
import { handOut } from './hand-out.ts'
import { callNode } from './node-call.ts'
import type { LaneSettings } from './nonce-lane/lane-context.ts'
import { openNonceLane } from './nonce-lane/nonce-lane.ts'
import { type OrderReads, openOrderReads } from './orders/order-reads.ts'
import { type Reads, reads } from './reads.ts'
import { knownGasOf } from './relay/known-gas.ts'
import { openRelay, type Relay } from './relay/relay.ts'
import { contractSignatureCheck } from './signatures/contract-signature-check.ts'
import { checkedTwice, creatorSignatureCheck } from './signatures/creator-signature-check.ts'
import { signatureCheck } from './signatures/signature-check.ts'
import { loadSignerRecovery } from './signatures/signature-recovery-worker.ts'
import type { SignerRecovery } from './signatures/signer-recovery.ts'
import { writes } from './writes.ts'

export type { NodeResponse } from '../platform/http-transport.ts'
export type {
  LaneEvent,
  LaneJob,
  LaneTransaction,
  SettledTransaction,
} from './nonce-lane/lane-event.ts'

/** A ledger on an EVM chain, with the balance and the spending of its wallet. */
export type ViemLedger = Ledger & {
  /** Returns the wallet's balance and the amount that counts for today (UTC), in wei. */
  wallet(): Promise<{ readonly balance: Wei; readonly spentToday: Wei }>
  /** Returns the amount that counts against the budget of a name today (UTC), in wei. */
  spentInName(of: string | Pick<Budget, 'name' | 'spansWallets'>): Promise<Wei>
  /** Sends what others signed; absent where the forwarder is not known. */
  readonly relay: Relay | undefined
  /** Reads orders in dollars; absent where the pair has no dollar, or it is not known. */
  readonly orders: OrderReads | undefined
  /** Makes test dollars of the embedded chain for an account, in their smallest unit. */
  handOut(gift: {
    readonly dollar: Hex
    readonly to: Account
    readonly amount: bigint
  }): Promise<Receipt>
  /** Reads whom an account has named as its heir. @throws `ledger/unavailable` */
  readHeirPlan(account: Account): Promise<HeirReading>
  /**
   * Requires that no other program writes to the contracts with the wallet, where it must not.
   *
   * @throws `wallet/shared`
   */
  requireAlone(): void
  /** Ends the current step of the lane. A store that was passed in stays open. */
  close(): Promise<void>
}

export declare namespace viemLedger {
  type Options = Partial<LaneSettings> & {
    /** The chain itself, a pool of its nodes, or the HTTP address of one of them. */
    readonly chain: Chain | URL
    /** The wallet that signs and pays. */
    readonly wallet: LocalAccount
    /** The means of signing; none when absent. */
    readonly signing?: Means | undefined
    /** Without its forwarder there is no relay. */
    readonly contracts: ContractPair & Partial<DeployedPair>
    /** The id of the chain (EIP-155); requested from the node when absent. */
    readonly chainId?: number | undefined
    /** The store of unfinished writes; in memory when absent, and so lost with the process. */
    readonly store?: Store
    /** The recovery of signers; the fastest that loads when absent. */
    readonly signerRecovery?: SignerRecovery
    /** Observes how each request to a node at an address ended. */
    readonly observeNode?: ((response: NodeResponse) => void) | undefined
    /** The hash function of messages; the fastest that loads when absent. */
    readonly keccak?: Keccak
  }
}

const defaults = {
  limits: {},
  isAlone: false,
  confirmations: 1,
  reorgDepth: 0,
  window: 16,
  stuckAfter: 30_000,
  cancelAfter: 600_000,
  // Before the callers have waited for two minutes, also those of the writes behind it.
  cancelDearAfter: 60_000,
  resendAfter: 2_000,
  outageTimeout: 3_000,
  callerTimeout: 120_000,
  observe: () => undefined,
} satisfies Partial<LaneSettings>

/** Opens the ledger of a contract pair on an EVM chain. */
export async function viemLedger({
  chain,
  wallet,
  signing,
  contracts,
  chainId: knownId,
  signerRecovery,
  keccak: givenKeccak,
  store: givenStore,
  observeNode,
  ...settings
}: viemLedger.Options): Promise<ViemLedger> {
  const client = connect(chain, observeNode)
  const keccak = givenKeccak ?? (await loadKeccak())
  const isLocal = isLocalChain(chain)
  const chainId = knownId ?? (await callNode('eth_chainId', () => client.getChainId()))
  const store = givenStore ?? (await sqliteStore(':memory:'))
  const { isReachable, means: nodes, gasOfCode } = chain instanceof URL ? {} : chain
  const { registry, marketplace, forwarder = registry } = contracts
  const from = wallet.address
  const parts = {
    client,
    wallet,
    store,
    isReachable,
    means: allMeans([nodes, signing].filter((it) => it !== undefined)),
    contracts: [registry, marketplace, forwarder],
    ...(isLocal && {
      knownGas: (job: LaneCall) => knownGasOf({ client, contracts, gasOfCode, from }, job),
    }),
    ...(!(chain instanceof URL) && chain.alone && { alone: chain.alone }),
  }
  const lane = openNonceLane({ ...defaults, now: store.now, ...settings, ...parts })
  if (givenStore !== undefined) lane.resume()
  const recovery = signerRecovery ?? (await loadSignerRecovery())
  const isSignedByKey = signatureCheck({ client, signerRecovery: recovery })
  const isSignedByContract = contractSignatureCheck({ client, keccak, isLocal })
  const ofCreator = { client, keccak, isLocal, isSignedByKey, isSignedByContract }
  const ofChain = reads(client, contracts, settings.confirmations)
  return {
    agent: account(wallet.address),
    registry: { chainId, address: account(getAddress(contracts.registry)) },
    ...withUndoneTokens(cachedIfLocal(chain, ofChain), lane.mayReturn),
    ...writes(lane, contracts),
    isSignedByKey,
    isSignedByContract,
    isSignedByCreator: withSecondLook(chain, { ...ofCreator, signerRecovery: recovery }),
    wallet: lane.wallet,
    spentInName: (of) => lane.spentFromBudget(typeof of === 'string' ? { name: of } : of),
    requireAlone: lane.requireAlone,
    readHeirPlan: (of) => readHeirPlan(client, contracts, of),
    handOut: (gift) => handOut(lane, gift),
    relay: relayOf(contracts, {
      client,
      chainId,
      lane,
      isLocal,
      gasOfCode,
      agent: account(wallet.address),
      now: clockOf(settings),
    }),
    orders: ordersOf(contracts, { client, chainId }),
    close: async () => {
      await lane.close()
      if (givenStore === undefined) await store.close()
    },
  }
}

/** Returns the check of creators, whose no to an owner comes from another node too, if there is one. */
function withSecondLook(
  chain: Chain | URL,
  {
    signerRecovery,
    ...parts
  }: creatorSignatureCheck.Parts & Pick<signatureCheck.Parts, 'signerRecovery'>,
): ViemLedger['isSignedByCreator'] {
  const check = creatorSignatureCheck(parts)
  const { requestElsewhere: request } = chain instanceof URL ? {} : chain
  if (request === undefined) return check
  const client = connect({ request, isRemote: true })
  const isSignedByKey = signatureCheck({ client, signerRecovery })
  const isSignedByContract = contractSignatureCheck({ ...parts, client })
  const ofAnother = { ...parts, client, isSignedByKey, isSignedByContract }
  return checkedTwice(check, creatorSignatureCheck(ofAnother))
}

type LaneCall = Parameters<typeof knownGasOf>[1]

const clockOf = ({ now = () => Date.now() }: Partial<LaneSettings>) => now

function relayOf(
  { forwarder, depositCode, dollar, ...pair }: viemLedger.Options['contracts'],
  parts: Omit<openRelay.Parts, 'contracts'>,
): Relay | undefined {
  if (forwarder === undefined || depositCode === undefined) return undefined
  return openRelay({ ...parts, contracts: { ...pair, forwarder, depositCode, dollar } })
}

function ordersOf(
  { forwarder, depositCode, dollar, ...pair }: viemLedger.Options['contracts'],
  parts: Omit<openOrderReads.Parts, 'contracts'>,
): OrderReads | undefined {
  if (forwarder === undefined || depositCode === undefined || dollar === undefined) return undefined
  return openOrderReads({ ...parts, contracts: { ...pair, forwarder, depositCode, dollar } })
}

function cachedIfLocal(chain: Chain | URL, uncached: Reads): Reads {
  const stateVersion = chain instanceof URL ? undefined : chain.stateVersion
  return stateVersion === undefined ? uncached : cachedReads(uncached, stateVersion)
}

/**
 * Returns the id of a chain and the height of its head.
 *
 * @throws `ledger/unavailable`
 */
export async function chainState(
  chain: Chain | URL,
): Promise<{ readonly chainId: number; readonly height: bigint }> {
  const client = connect(chain)
  const [chainId, height] = await callNode('eth_chainId', () =>
    Promise.all([client.getChainId(), client.getBlockNumber()]),
  )
  return { chainId, height }
}

/**
 * Returns reads that fail with `ledger/unavailable` for a token that may come back, in the place of
 * none: its mint is on its way into another block, and an act on it may be tried again.
 */
function withUndoneTokens(
  { access, holding, provenance, listing }: Reads,
  mayReturn: (tokenId: TokenId) => Promise<boolean>,
): Reads {
  const found = async <T>(tokenId: TokenId, operation: string, read: Promise<T | undefined>) => {
    const result = await read
    if (result !== undefined || !(await mayReturn(tokenId))) return result
    throw new Failure('ledger/unavailable', { operation })
  }
  return {
    access: (id, of) => found(id, 'accessOf', access(id, of)),
    holding: (id) => found(id, 'holdingOf', holding(id)),
    provenance: (id) => found(id, 'recordOf', provenance(id)),
    listing: (id) => found(id, 'listingOf', listing(id)),
  }
}
