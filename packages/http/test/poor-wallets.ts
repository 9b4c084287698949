import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { Environment } from '../src/config/config.ts'
import type { WalletOptions } from '../src/wallet/open-wallet.ts'
import type { Wallet } from '../src/wallet/wallet.ts'
import { openWalletHarness } from './wallet-harness.ts'

/** Returns an account that has nothing. */
export const newAccount = () => privateKeyToAccount(generatePrivateKey())

/** A dollar, in its smallest unit. */
export const usd = 1_000_000n

export const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }

export const unpriced = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }

/** Terms in dollars: 5 to buy, 0.25 a day, 2 to fork. */
export const inDollars = {
  ...unpriced,
  forkRoyaltyBps: 500,
  dollars: { price: 5n * usd, rentalPricePerDay: usd / 4n, forkPrice: 2n * usd },
}

/** Starts a server with API keys, on which wallets act that have test dollars and no native money. */
export async function openPoor(variables: Environment = {}) {
  const apiKey = 'a-key-of-some-length'
  const keys = { API_KEYS: apiKey, OPEN_ACTS: 'seal,relay' }
  const harness = await openWalletHarness({ ...keys, ...variables })
  const giveDollars = async ({ address }: { readonly address: string }) => {
    const body = JSON.stringify({ address })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` }
    const reply = await fetch(`${harness.url}/api/faucet`, { method: 'POST', headers, body })
    expect(reply.status).toBe(201)
  }
  /** Opens the wallet of an account with 100 test dollars. */
  const walletOf = async (account = newAccount(), options: Partial<WalletOptions> = {}) => {
    await giveDollars(account)
    const wallet = await harness.walletOf(account, { relay: true, ...options })
    return Object.assign(wallet, { account })
  }
  return { ...harness, walletOf, giveDollars, ownWalletOf: harness.walletOf }
}

/** Returns the dollars of a wallet. */
export const dollarsOf = async (wallet: Wallet): Promise<bigint> =>
  BigInt((await wallet.balance()).dollars?.balance ?? 0)
