export type {
  ActStore,
  OrderAct,
  OrderStore,
  Provider,
  SigningAccount,
  Spending,
  SpendLimits,
  SpendStore,
  StoredAct,
  StoredOrder,
  WalletAccount,
  WalletName,
  WalletStore,
} from '@heirloom/adapters/internal/wallet'
export { checkSample, describeLie, type SampleCheck } from '../client/check-sample.ts'
export { openWallet, type WalletOptions } from './open-wallet.ts'
export type * from './wallet.ts'
