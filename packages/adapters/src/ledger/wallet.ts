import type { Hex, LocalAccount } from 'viem'
import { privateKeySigner } from './signer/private-key-signer.ts'
import { signerWallet } from './signer/signer-wallet.ts'

/** Returns the account of a private key, with native signing if it loads. */
export const walletOf = (privateKey: Hex): LocalAccount =>
  signerWallet(privateKeySigner(privateKey))
