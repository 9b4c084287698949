import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { walletKeys } from '@heirloom/testkit'
import { startAnvil, testClient } from '../chain/anvil.ts'
import { agent, deployAwkwardDollar, seller } from '../chain/dollar-relay.ts'
import { hostServer } from '../process/server.ts'

/** A server on a chain whose dollar can misbehave. */
export type AwkwardServer = Awaited<ReturnType<typeof startAwkwardServer>>

/** Starts a server on a chain whose dollar pauses, blocks accounts and takes fees. */
export async function startAwkwardServer(environment: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'awkward-'))
  const anvil = await startAnvil()
  for (const { address } of [agent, seller])
    await testClient(anvil).setBalance({ address, value: 10n ** 20n })
  const dollar = await deployAwkwardDollar(anvil)
  const { registry, marketplace } = await deployContracts({
    chain: anvil.url,
    wallet: agent,
    dollar: dollar.address,
  })
  const server = await hostServer({
    DATA_DIR: home,
    RPC_URL: anvil.url.href,
    AGENT_PRIVATE_KEY: walletKeys[0] ?? '',
    MASTER_KEYS: `0x${'5'.repeat(64)}`,
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
    ...environment,
  })
  const close = async () => {
    await server.end()
    await anvil.stop()
    rmSync(home, { recursive: true })
  }
  return { anvil, dollar, server, close }
}
