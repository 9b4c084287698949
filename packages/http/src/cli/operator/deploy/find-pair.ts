import { existingContracts } from '@heirloom/adapters/contracts'
import { Failure } from '@heirloom/core'
import type { ContractAddresses } from '../../../config/config.ts'
import { refuseOtherPair } from '../../../server/open-chain.ts'
import { requireChosenDollar } from './choose-dollar.ts'
import {
  type DeploymentRecord,
  type DeployTarget,
  isOtherChain,
  type Pair,
} from './deployment-record.ts'

/**
 * Finds the pair that the environment or the record names, and verifies its code on the chain.
 *
 * @throws `config/invalid` when the chain has other code there, `ledger/unavailable`,
 * `folder/unusable`
 */
export async function findPair(
  target: DeployTarget,
  configured: ContractAddresses | undefined,
): Promise<Pair | undefined> {
  if (configured === undefined) return findRecordedPair(target)
  const pair = await existingContracts({ chain: target.nodes, marketplace: configured.marketplace })
  refuseOtherPair(configured, pair)
  requireChosenDollar(target, target.choice, pair)
  target.report(
    `The pair at MARKETPLACE_ADDRESS is on chain ${target.chainId} already; nothing was sent.`,
  )
  return pair
}

async function findRecordedPair(target: DeployTarget): Promise<Pair | undefined> {
  const { on, files, chainId, report } = target
  const record = files.record.read()
  if (record === undefined) return undefined
  const found = await on.find(record.marketplace)
  if (found.kind === 'pair') {
    requireChosenDollar(target, target.choice, found.pair)
    report(`The pair in ${files.record.path} is on chain ${chainId} already; nothing was sent.`)
    return found.pair
  }
  if (found.kind === 'foreign') {
    throw new Failure('config/invalid', {
      name: files.record.path,
      problem: `records ${found.address}, which is a contract of another kind or version; move the file away to deploy again`,
    })
  }
  await refuseLateNode(target, record)
  report(
    `${files.record.path} records a marketplace at ${record.marketplace}, where this chain has no contract: it is another chain of id ${chainId}, or was started anew.`,
  )
  return undefined
}

// A node that is still syncing does not have the contracts yet, and a second pair would cost money.
async function refuseLateNode(
  target: DeployTarget,
  { genesis, blockNumber = 0 }: DeploymentRecord,
): Promise<void> {
  const { on, files } = target
  if (isOtherChain(target, genesis)) return
  const height = await on.height()
  if (height >= blockNumber) return
  throw new Failure('config/invalid', {
    name: files.record.path,
    problem: `records block ${blockNumber}, and the node at RPC_URL is at block ${height}; wait until it has caught up, or remove the file if its chain was started anew`,
  })
}
