import { account } from '@heirloom/core'
import { keyServiceLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { bytesToHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import {
  keyServiceSigner,
  pkcs11KeyService,
  signerWallet,
} from '../../packages/adapters/src/ledger/signer/index.ts'
import { walletLaws } from '../../packages/adapters/src/ledger/signer/test/wallet-laws.ts'
import { pin, placeOf, type SoftHsm, startSoftHsm } from '../harness/process/soft-hsm.ts'

let hsm: SoftHsm
beforeAll(async () => {
  hsm = await startSoftHsm()
})
afterAll(() => hsm?.stop())

const open = async (way: 'direct' | 'remote') => {
  const { env, ...reach } = hsm[way]
  return pkcs11KeyService({ place: placeOf({ env, ...reach }, 'agent'), pin: () => pin, env })
}
const close = async (service: { close?(): Promise<void> }) => service.close?.()

describeLaws('a token in a process of its own', keyServiceLaws, {
  ...{ open: () => open('direct'), close },
})
describeLaws('a token behind a service', keyServiceLaws, { open: () => open('remote'), close })

const services = new Set<{ close?(): Promise<void> }>()
afterAll(() => Promise.all([...services].map(close)))

describeLaws('the wallet of a token', walletLaws, {
  open: async () => {
    const service = await open('remote')
    services.add(service)
    const address = account(publicKeyToAddress(bytesToHex(await service.publicKey())))
    return signerWallet(keyServiceSigner({ service, address }))
  },
})
