import { type Deployments, existingContracts } from '@heirloom/adapters/contracts'
import { Failure } from '@heirloom/core'
import { refuseOtherPair } from '../../server/open-chain.ts'
import type { ContractAddresses } from '../../config/config.ts'
import type { DeploymentRecord, deploymentFiles } from './deployment-record.ts'

export type Pair = Awaited<ReturnType<typeof existingContracts>>

/** A chain to deploy on, what is kept of it, and whom to tell. */
export type Site = {
  readonly url: URL
  readonly chainId: number
  readonly genesis: Pair['registry'] | undefined
  readonly on: Deployments
  readonly files: ReturnType<typeof deploymentFiles>
  readonly say: (line: string) => void
}

/**
 * Returns the pair that the environment names or the record holds, once the chain confirms it.
 *
 * @throws `config/invalid` when something else stands there, `ledger/unavailable`,
 * `folder/unusable`
 */
export async function existingPair(
  site: Site,
  configured: ContractAddresses | undefined,
): Promise<Pair | undefined> {
  if (configured === undefined) return recordedPair(site)
  const pair = await existingContracts({ chain: site.url, marketplace: configured.marketplace })
  refuseOtherPair(configured, pair)
  site.say(`The pair at MARKETPLACE_ADDRESS is on chain ${site.chainId} already; nothing was sent.`)
  return pair
}

async function recordedPair(site: Site): Promise<Pair | undefined> {
  const { on, files, chainId, say } = site
  const record = files.record.read()
  if (record === undefined) return undefined
  const found = await on.find(record.marketplace)
  if (found.kind === 'pair') {
    say(`The pair in ${files.record.path} is on chain ${chainId} already; nothing was sent.`)
    return found.pair
  }
  if (found.kind === 'foreign') {
    throw new Failure('config/invalid', {
      name: files.record.path,
      problem: `records ${found.address}, which is a contract of another kind or version; move the file away to deploy anew`,
    })
  }
  await refuseLateNode(site, record)
  say(
    `${files.record.path} records a marketplace at ${record.marketplace}, where this chain has no contract: it is another chain of id ${chainId}, or was started anew.`,
  )
  return undefined
}

// A node that is still catching up does not know the contracts yet, and a second pair costs money.
async function refuseLateNode(
  site: Site,
  { genesis, blockNumber = 0 }: DeploymentRecord,
): Promise<void> {
  const { on, files } = site
  if (isElsewhere(site, genesis)) return
  const height = await on.height()
  if (height >= blockNumber) return
  throw new Failure('config/invalid', {
    name: files.record.path,
    problem: `records block ${blockNumber}, and the node at RPC_URL is at block ${height}; wait until it has caught up, or remove the file if its chain was started anew`,
  })
}

/** Whether what was kept belongs to another chain than this one, though both have one id. */
export function isElsewhere({ genesis }: Site, kept: string | undefined): boolean {
  return genesis !== undefined && kept !== undefined && genesis !== kept
}
