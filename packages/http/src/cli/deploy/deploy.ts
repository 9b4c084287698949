import { deploymentsOn, sources } from '@heirloom/adapters/contracts'
import { openDataFolder } from '@heirloom/adapters/data-folder'
import { Failure } from '@heirloom/core'
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts'
import { chainIdOf } from '../../server/open-chain.ts'
import type { ChainConfig, ChainSource } from '../../config/config.ts'
import { existingPair, type Pair, type Site } from './find-pair.ts'
import { finishedPair, newPair, recorded, signedHere } from './deploy-pair.ts'
import { deploymentFiles, deploymentsFolder } from './deployment-record.ts'
import { costOf, prospectOf } from './describe-cost.ts'

/** Told, line by line, of what is done. */
type Say = Site['say']

/**
 * Returns the contract pair on the configured chain, which is deployed when it is not there yet.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`, and what deploying may fail with
 */
export async function deploy(config: ChainConfig, say: Say): Promise<Pair> {
  const site = await siteOf(config, say)
  const wallet = payerOf(config)
  // Two runs at once could each take the other's deployment for none.
  const folder = openDataFolder(deploymentsFolder(config.dataDir))
  try {
    return (
      (await existingPair(site, config.contracts)) ??
      (await finishedPair(site, wallet)) ??
      (await ownPair(site, wallet)) ??
      (await newPair(site, wallet))
    )
  } finally {
    folder.close()
  }
}

/**
 * Says what `deploy` would do, and returns the pair when there is one. Sends and writes nothing.
 *
 * @throws `config/invalid`, `ledger/unavailable`, `folder/unusable`
 */
export async function rehearse(config: ChainConfig, say: Say): Promise<Pair | undefined> {
  say('Dry run: nothing is sent, nothing is written.')
  const wallet = walletOf(config)
  const site = await siteOf(config, say)
  const existing = await existingPair(site, config.contracts)
  if (existing) return existing
  if (signedHere(site)) {
    say(
      `${site.files.signed.path} tells of an unfinished deployment; a real run finishes it first.`,
    )
  }
  const own = wallet && (await foundPair(site, wallet))
  if (own) return own
  const simulation = await site.on.simulate(wallet?.address)
  for (const line of [costOf(site.chainId, simulation), ...prospectOf(simulation)]) say(line)
  return undefined
}

/** Returns the standard-JSON input that compiles to the deployed bytes, and says with which compiler. */
export async function standardJson(say: Say): Promise<string> {
  const { compilerVersion, standardInput } = await sources()
  say(
    `Compiler ${compilerVersion}; contracts src/MemoryRegistry.sol:MemoryRegistry and src/MemoryMarketplace.sol:MemoryMarketplace; no constructor arguments.`,
  )
  return `${JSON.stringify(standardInput, undefined, 2)}\n`
}

async function siteOf({ chain, dataDir }: ChainConfig, say: Say): Promise<Site> {
  const { url, chainId: expected } = elsewhere(chain)
  const chainId = await chainIdOf(url, expected)
  const on = deploymentsOn(url)
  const genesis = await on.genesis()
  return { url, chainId, genesis, on, files: deploymentFiles(dataDir, chainId), say }
}

function elsewhere(chain: ChainSource): Extract<ChainSource, { kind: 'remote' }> {
  if (chain.kind === 'remote') return chain
  throw new Failure('config/invalid', {
    name: 'RPC_URL',
    problem: 'must name the chain to deploy on; the embedded chain has its contracts already',
  })
}

function payerOf(config: ChainConfig): LocalAccount {
  const wallet = walletOf(config)
  if (wallet !== undefined) return wallet
  throw new Failure('config/invalid', {
    name: 'AGENT_PRIVATE_KEY',
    problem: 'must be set, for its wallet pays; --dry-run needs none',
  })
}

function walletOf({ agentKey }: ChainConfig): LocalAccount | undefined {
  return agentKey && privateKeyToAccount(agentKey)
}

async function ownPair(site: Site, wallet: LocalAccount): Promise<Pair | undefined> {
  const pair = await foundPair(site, wallet)
  return pair && recorded(site, { pair, deployer: wallet.address })
}

async function foundPair({ on, chainId, say }: Site, { address }: LocalAccount) {
  const pair = await on.firstOf(address)
  if (pair) say(`The wallet ${address} has deployed a pair on chain ${chainId}; nothing was sent.`)
  return pair
}
