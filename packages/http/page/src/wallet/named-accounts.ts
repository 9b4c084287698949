import { type DevelopmentAccount, developmentAccounts } from './development-accounts.ts'
import { hasRpc } from './rpc-provider.ts'

/** Returns the accounts that the page knows by name: those of the development wallet, where the server has it. */
export const namedAccounts = (): readonly DevelopmentAccount[] =>
  hasRpc.value ? developmentAccounts : []
