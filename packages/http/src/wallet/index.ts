export type { Provider, SigningAccount, WalletAccount } from './account.ts'
export { openWallet, type WalletOptions } from './open-wallet.ts'
export type { SpendLimits } from './spend-limits.ts'
export type * from './wallet.ts'
