import { account } from '@heirloom/core'
import { memoryKeyService, walletKeys, wallets } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { secp256k1Signing } from '../../platform/secp256k1-signing.ts'
import { walletLaws } from '../test/wallet-laws.ts'
import { keyServiceSigner } from './key-service-signer.ts'
import { privateKeySigner } from './private-key-signer.ts'
import { signerWallet } from './signer-wallet.ts'

const [key] = walletKeys
const address = account(wallets[0].address)

describeLaws('a private key, natively', walletLaws, {
  open: async () => signerWallet(privateKeySigner(key, secp256k1Signing())),
})
describeLaws('a private key, in JavaScript', walletLaws, {
  open: async () => signerWallet(privateKeySigner(key, 'slow')),
})
describeLaws('a key service, half of whose signatures are high', walletLaws, {
  open: async () => signerWallet(keyServiceSigner({ service: memoryKeyService(key), address })),
})
