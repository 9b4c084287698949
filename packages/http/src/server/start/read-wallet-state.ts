import type { ViemLedger } from '@heirloom/adapters/ledger'
import type { Config } from '../../config/config.ts'
import type { ApiKey } from '../api-keys/api-key.ts'
import type { WalletState } from '../operations/accounts.ts'

/**
 * Reads the state of a wallet, for an API key if there is one.
 *
 * @throws `ledger/unavailable`
 */
export async function readWalletState(
  { ledger, limits }: { readonly ledger: ViemLedger } & Pick<Config, 'limits'>,
  caller: ApiKey | undefined,
): Promise<WalletState> {
  const { balance, spentToday } = await ledger.wallet()
  const { perCall: maxSpendPerCall, perDay: maxSpendPerDay } = limits
  const spentByKey = caller && (await ledger.spentInName(caller))
  const state = { address: ledger.agent, balance, spentToday, spentByKey }
  return { ...state, maxSpendPerCall, maxSpendPerDay }
}
