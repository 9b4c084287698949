import { keyServiceLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import fc from 'fast-check'
import { afterAll, beforeAll } from 'vitest'
import { pkcs11KeyService } from '../../packages/adapters/src/ledger/signer/index.ts'
import { pin, placeOf, type SoftHsm, startSoftHsm } from '../harness/process/soft-hsm.ts'

let hsm: SoftHsm
beforeAll(async () => {
  // A token is no faster here than anywhere: each signature goes through two more processes.
  fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 20 })
  hsm = await startSoftHsm()
})
afterAll(() => hsm?.stop())

const open = async (way: 'direct' | 'remote') => {
  const { env, ...reach } = hsm[way]
  return pkcs11KeyService({ place: placeOf({ env, ...reach }, 'agent'), pin: () => pin, env })
}
const close = async (service: { close?(): Promise<void> }) => service.close?.()

describeLaws('a token in a process of its own', keyServiceLaws, {
  open: () => open('direct'),
  close,
})
describeLaws('a token behind a service', keyServiceLaws, { open: () => open('remote'), close })
