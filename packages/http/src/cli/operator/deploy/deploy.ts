import { deploymentsOn, sources } from '@heirloom/adapters/contracts'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import { nodePool } from '@heirloom/adapters/internal/nodes'
import { Failure } from '@heirloom/core'
import type { LocalAccount } from 'viem'
import type { ChainConfig, ChainSource } from '../../../config/config.ts'
import { type AgentWallet, configuredWallet } from '../../../server/keys/agent-wallet.ts'
import { readChainId } from '../../../server/open-chain.ts'
import { chooseDollar, describeDollarless, requireChosenDollar } from './choose-dollar.ts'
import {
  deployPair,
  describeCost,
  describePayer,
  finishDeployment,
  readSignedRecord,
  recordPair,
} from './deploy-pair.ts'
import {
  type DeployTarget,
  type DollarChoice,
  deploymentFiles,
  deploymentsFolder,
  type Pair,
} from './deployment-record.ts'
import { findPair } from './find-pair.ts'

/** The chain to deploy on, and the dollar of the pair. */
export type DeployConfig = ChainConfig & DollarChoice

/** Reports progress, one line at a time. */
type Report = DeployTarget['report']

/**
 * Returns the contract pair on the configured chain, and deploys it when the chain has none.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`, and the failures of `deployContracts`
 */
export async function deploy(config: DeployConfig, report: Report): Promise<Pair> {
  const target = await openTarget(config, report)
  const { wallet, service } = requireWallet(config)
  await service?.check()
  // Locked: two runs at once could both find no pair and both deploy one.
  const folder = openDataFolder(deploymentsFolder(config.dataDir))
  try {
    return (
      (await findPair(target, config.contracts)) ??
      (await finishDeployment(target, wallet)) ??
      (await recordWalletPair(target, wallet)) ??
      (await deployPair(target, wallet))
    )
  } finally {
    folder.close()
    await service?.close()
  }
}

/**
 * Reports what `deploy` would do, and returns the pair if the chain has one. Sends and writes nothing.
 *
 * @throws `config/invalid`, `ledger/unavailable`, `folder/unusable`
 */
export async function previewDeploy(
  config: DeployConfig,
  report: Report,
): Promise<Pair | undefined> {
  report('Dry run: nothing is sent, nothing is written.')
  const wallet = configuredWallet(config)?.wallet
  const target = await openTarget(config, report)
  const existing = await findPair(target, config.contracts)
  if (existing) return existing
  if (readSignedRecord(target)) {
    report(
      `${target.files.signed.path} records an unfinished deployment; a real run finishes it first.`,
    )
  }
  const own = wallet && (await findWalletPair(target, wallet))
  if (own) return own
  const dollar = await chooseDollar(target, config)
  const simulation = await target.on.simulate({ wallet: wallet?.address, dollar })
  const { chainId } = target
  report(describeCost(chainId, simulation))
  for (const line of describeDollarless(chainId, dollar)) report(line)
  for (const line of describePayer(simulation)) report(line)
  return undefined
}

/** Returns the standard-JSON input of the deployed code, and reports the compiler version. */
export async function standardJson(report: Report): Promise<string> {
  const { compilerVersion, standardInput } = await sources()
  report(
    `Compiler ${compilerVersion}; contracts src/MemoryMarketplace.sol:MemoryMarketplace, whose argument is the dollar or zero, src/MemoryRegistry.sol:MemoryRegistry, whose argument is the forwarder, src/Forwarder.sol:Forwarder and src/Deposit.sol:Deposit.`,
  )
  return `${JSON.stringify(standardInput, undefined, 2)}\n`
}

async function openTarget(config: DeployConfig, report: Report): Promise<DeployTarget> {
  const { chain, dataDir, dollar, anyDollar } = config
  const { urls, chainId: expected } = requireRemote(chain)
  const nodes = nodePool(urls)
  const chainId = await readChainId(nodes, expected)
  const on = deploymentsOn(nodes)
  const genesis = await on.genesis()
  const files = deploymentFiles(dataDir, chainId)
  return { nodes, chainId, genesis, on, files, choice: { dollar, anyDollar }, report }
}

function requireRemote(chain: ChainSource): Extract<ChainSource, { kind: 'remote' }> {
  if (chain.kind === 'remote') return chain
  throw new Failure('config/invalid', {
    name: 'RPC_URL',
    problem: 'must name the chain to deploy on; the embedded chain has its contracts already',
  })
}

function requireWallet(config: ChainConfig): AgentWallet {
  const agent = configuredWallet(config)
  if (agent !== undefined) return agent
  throw new Failure('config/invalid', {
    name: 'AGENT_PRIVATE_KEY',
    problem: 'or AGENT_KEY_SERVICE must be set, for its wallet pays; --dry-run needs none',
  })
}

/** Finds a pair that the wallet has deployed, and records it. */
async function recordWalletPair(
  target: DeployTarget,
  wallet: LocalAccount,
): Promise<Pair | undefined> {
  const pair = await findWalletPair(target, wallet)
  return pair && recordPair(target, { pair, deployer: wallet.address })
}

async function findWalletPair(target: DeployTarget, { address }: LocalAccount) {
  const { on, chainId, choice, report } = target
  const pair = await on.firstOf(address)
  if (pair === undefined) return undefined
  requireChosenDollar(target, choice, pair)
  report(`The wallet ${address} has deployed a pair on chain ${chainId}; nothing was sent.`)
  return pair
}
