import { deployContracts } from '@heirloom/adapters/contracts'
import { domainSeparator, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { forwarderDomain } from '../../packages/adapters/src/ledger/contract-pair.ts'
import { readConfig } from '../../packages/http/src/config/config.ts'
import { serve } from '../../packages/http/src/server/serve.ts'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { clientOf, newDeployer } from '../harness/process/deployer.ts'

/** Replaces a text in the code of a contract. */
const replaced = (code: Hex, found: string, other: string) => {
  const changed = code.replaceAll(found.replace(/^0x/, '').toLowerCase(), other.replace(/^0x/, ''))
  expect(changed).not.toBe(code)
  return changed as Hex
}

test('a server refuses a pair of our code whose forwarder is another contract', async () => {
  const anvil = await startAnvil()
  onTestFinished(anvil.stop)
  const { env, key, address } = await newDeployer(anvil)
  const pair = await deployContracts({ chain: anvil.url, wallet: privateKeyToAccount(key) })
  const config = readConfig({
    ...env,
    PORT: '0',
    LOG_LEVEL: 'silent',
    MASTER_KEYS: key,
    REGISTRY_ADDRESS: pair.registry,
    MARKETPLACE_ADDRESS: pair.marketplace,
  })
  const server = await serve(config)
  await server.close()

  const code = (await clientOf(anvil).getCode({ address: pair.forwarder })) as Hex
  const { marketplace, registry, forwarder } = pair
  const foreign = address.toLowerCase()
  const elsewhere = domainSeparator({
    domain: { ...forwarderDomain, chainId: 1, verifyingContract: forwarder },
  })
  const own = domainSeparator({
    domain: { ...forwarderDomain, chainId: 31337, verifyingContract: forwarder },
  })
  const codeOf = async (at: Hex) => (await clientOf(anvil).getCode({ address: at })) as Hex
  for (const [at, bytecode] of [
    [forwarder, '0x00'],
    [forwarder, replaced(code, own, elsewhere)],
    [registry, replaced(await codeOf(registry), forwarder, foreign)],
    [marketplace, replaced(await codeOf(marketplace), forwarder, foreign)],
  ] as const) {
    const before = await codeOf(at)
    await testClient(anvil).setCode({ address: at, bytecode })
    await expect(serve(config)).rejects.toMatchObject({
      code: 'config/invalid',
      facts: { problem: expect.stringContaining('a contract of another kind or version') },
    })
    await testClient(anvil).setCode({ address: at, bytecode: before })
  }
})
