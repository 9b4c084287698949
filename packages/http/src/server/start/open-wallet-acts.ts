import { systemClock } from '@heirloom/adapters/clock'
import { unfinishedSettlements } from '@heirloom/adapters/internal/job-queries'
import type { EncodedOrder } from '@heirloom/adapters/internal/orders'
import type { JobStore } from '@heirloom/adapters/job-store'
import type { ViemLedger } from '@heirloom/adapters/ledger'
import {
  type Account,
  type Catalogue,
  type Ledger,
  orderActs,
  proveAccount,
  tokenId,
} from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { logOrderFailure } from '../../observability/log-events.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { type Faucet, openFaucet } from '../faucet.ts'
import type { OpenChain } from '../open-chain.ts'
import type { readYourWrites } from '../read-your-writes.ts'
import { type RelayActs, relayActs } from '../relay-acts.ts'
import { refuseErased } from '../request/guard-acquisitions.ts'
import { openPaidActs, type PaidActs } from '../x402/paid-acts.ts'
import { sweepOrders } from '../x402/rescue.ts'

type Parts = Pick<ReturnType<typeof readYourWrites>, 'counted'> & {
  readonly config: Pick<Config, 'chain' | 'faucet' | 'relay'>
  readonly chain: Pick<OpenChain, 'chainId' | 'contracts' | 'dollar'>
  readonly meters: Pick<Metrics, 'relayed' | 'paidActs'>
  readonly store: JobStore
  readonly ledger: Ledger
  readonly catalogue: Pick<Catalogue, 'token'>
  readonly logger: () => FastifyBaseLogger | undefined
}

type WalletActs = {
  readonly faucet: Faucet | undefined
  readonly relay: RelayActs | undefined
  readonly paidActs: PaidActs | undefined
}

/**
 * Opens what helps wallets without money: the faucet of test dollars, the relay, and acts that are
 * paid by x402. Ends what is left of orders that failed; registers the end of that.
 */
export function openWalletActs(
  ledger: Pick<ViemLedger, 'handOut' | 'relay' | 'orders'>,
  parts: Parts,
  resources: AsyncDisposableStack,
): WalletActs {
  const { chain, config, meters, counted } = parts
  const faucet = openFaucet(ledger, chain, config)
  if (ledger.relay === undefined) return { faucet, relay: undefined, paidActs: undefined }
  const refuseOrder = async ({ act, tokenId: id }: EncodedOrder) => {
    if (orderActs[act] !== 'royalty') await refuseErased(parts.catalogue.token(tokenId(id)))
  }
  const relaying = { settings: config.relay, count: meters.relayed, refuseOrder }
  const acts = relayActs(ledger.relay, relaying)
  const relay: RelayActs = (act, client) => counted(acts(act, client))
  const rescuing = orderParts(ledger, relay, config)
  if (rescuing === undefined || chain.dollar === undefined) {
    return { faucet, relay, paidActs: undefined }
  }
  const { logger, store } = parts
  const onTrouble = (error: unknown) => logOrderFailure(logger(), error)
  const sweep = sweepOrders({ ...rescuing, store, now: store.now, onTrouble })
  resources.defer(sweep.close)
  const clock = systemClock()
  const paidActs = openPaidActs({
    ...rescuing,
    ...parts,
    count: meters.paidActs,
    clock,
    prove: (input) => proveAccount({ ledger: parts.ledger, clock }, input),
    asset: chain.dollar.address as Account,
    dollar: { ...chain.dollar, chainId: chain.chainId },
    contracts: chain.contracts,
    settled: ledger.relay.settled,
    unfinished: () => unfinishedSettlements(store),
  })
  return { faucet, relay, paidActs }
}

function orderParts(
  { orders }: Pick<ViemLedger, 'orders'>,
  relay: RelayActs,
  { relay: { leastOrder } }: Pick<Config, 'relay'>,
) {
  return orders === undefined ? undefined : { orders, relay, leastOrder }
}
