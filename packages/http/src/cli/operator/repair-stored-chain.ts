import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { foundingPair } from '@heirloom/adapters/contracts'
import {
  type ChainRepair,
  type ChainSurvey,
  firstTransaction,
  repairChain,
  type SurveyOptions,
  surveyChain,
} from '@heirloom/adapters/internal/chain-repair'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import { foreignCodeOf } from '@heirloom/adapters/internal/own-code'
import { Failure } from '@heirloom/core'
import {
  type ChainConfig,
  type Environment,
  readChainConfig,
  readConfig,
} from '../../config/config.ts'
import { type AgentWallet, findAgentWallet } from '../../server/keys/agent-wallet.ts'
import { catalogueFile } from '../../server/open-catalogue.ts'

/** The gas that earlier versions allowed a transaction of a stranger. */
const earlierGas = 500_000n

/** Selects the costly transactions of strangers. `above` defaults to RPC_GAS, or 500,000 if it is less. */
export type CostlyFilter = { readonly above: bigint | undefined; readonly from: number | undefined }

/**
 * Lists the costly transactions of the embedded chain in DATA_DIR. Executes none of them.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`
 */
export async function surveyStoredChain(
  env: Environment,
  costly: CostlyFilter,
): Promise<ChainSurvey> {
  return withStoredChain(env, costly, surveyChain)
}

/**
 * Removes the costly transactions from the embedded chain in DATA_DIR; without `write` it only tries
 * this. Also removes the catalogue, which the next server rebuilds from the chain.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`
 */
export async function repairStoredChain(
  env: Environment,
  { write, ...costly }: CostlyFilter & { readonly write: boolean },
): Promise<ChainRepair> {
  return withStoredChain(env, costly, async (options) => {
    const report = await repairChain({ ...options, write })
    if (report.backup !== undefined) removeCatalogue(options.folder)
    return report
  })
}

async function withStoredChain<T>(
  env: Environment,
  { above, from }: CostlyFilter,
  act: (options: SurveyOptions) => Promise<T>,
): Promise<T> {
  const config = readChainConfig(env)
  const folder = resolve(config.dataDir)
  requireChain(folder)
  const { wallet, key } = requireAgent(config, folder)
  // Locked until the end, so that no server starts meanwhile.
  const lock = openDataFolder(folder)
  try {
    const pair = await foundingPair({
      first: firstTransaction(folder),
      wallet,
      signsAlike: key !== undefined,
    })
    const { gas } = readConfig(env).rpc
    const bounds = { above: above ?? (gas > earlierGas ? gas : earlierGas), from }
    const finder = foreignCodeOf(() => pair)
    return await act({ folder, agent: wallet.address, ...bounds, foreignCodeOf: finder })
  } finally {
    lock.close()
  }
}

function requireChain(folder: string): void {
  if (existsSync(join(folder, 'chain.sqlite'))) return
  throw new Failure('folder/unusable', { folder, problem: 'it has no chain.sqlite' })
}

function requireAgent(config: ChainConfig, folder: string): AgentWallet {
  const agent = findAgentWallet(config, folder)
  if (agent !== undefined) return agent
  const problem = 'must be set, because the data folder has no agent.key'
  throw new Failure('config/invalid', { name: 'AGENT_PRIVATE_KEY', problem })
}

function removeCatalogue(folder: string): void {
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(folder, `${catalogueFile}${suffix}`), { force: true })
}
