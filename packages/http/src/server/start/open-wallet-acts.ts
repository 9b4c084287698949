import type { ViemLedger } from '@heirloom/adapters/ledger'
import type { Config } from '../../config/config.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { type Faucet, openFaucet } from '../faucet.ts'
import type { OpenChain } from '../open-chain.ts'
import type { readYourWrites } from '../read-your-writes.ts'
import { type RelayActs, relayActs } from '../relay-acts.ts'

type Parts = Pick<ReturnType<typeof readYourWrites>, 'counted'> & {
  readonly config: Pick<Config, 'chain' | 'faucet' | 'relay'>
  readonly chain: Pick<OpenChain, 'contracts'>
  readonly meters: Pick<Metrics, 'relayed'>
}

/** Opens what helps wallets without money: the faucet of test dollars, and the relay. */
export function openWalletActs(
  ledger: Pick<ViemLedger, 'handOut' | 'relay'>,
  { chain, config, meters, counted }: Parts,
): { readonly faucet: Faucet | undefined; readonly relay: RelayActs | undefined } {
  const faucet = openFaucet(ledger, chain, config)
  if (ledger.relay === undefined) return { faucet, relay: undefined }
  const acts = relayActs(ledger.relay, { settings: config.relay, count: meters.relayed })
  return { faucet, relay: (act, client) => counted(acts(act, client)) }
}
