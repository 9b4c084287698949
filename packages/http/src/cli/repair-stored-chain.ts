import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type ChainRepair,
  type ChainSurvey,
  firstTransaction,
  repairChain,
  type SurveyOptions,
  surveyChain,
} from '@heirloom/adapters/chain/repair'
import { foundingPair } from '@heirloom/adapters/contracts'
import { runsOwnCode } from '@heirloom/adapters/contracts/own-code'
import { openDataFolder } from '@heirloom/adapters/data-folder'
import { walletOf } from '@heirloom/adapters/wallet'
import { Failure, type Hex } from '@heirloom/core'
import { catalogueFile } from '../server/open-catalogue.ts'
import { type Environment, readChainConfig, readConfig } from '../config/config.ts'
import { readAgentKey } from '../config/key-text.ts'

/** Which transactions of strangers count as costly; RPC_GAS decides where neither is given. */
export type Costly = { readonly above: bigint | undefined; readonly from: number | undefined }

/**
 * Lists the costly transactions of the embedded chain in DATA_DIR, without executing any.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`
 */
export async function chainStatus(env: Environment, costly: Costly): Promise<ChainSurvey> {
  return within(env, costly, surveyChain)
}

/**
 * Takes the costly transactions out of the embedded chain in DATA_DIR, or only tries it. What the
 * catalogue knew of the chain is removed with them, for a server reads it from the chain anew.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`
 */
export async function repair(
  env: Environment,
  { write, ...costly }: Costly & { readonly write: boolean },
): Promise<ChainRepair> {
  return within(env, costly, async (options) => {
    const report = await repairChain({ ...options, write })
    if (report.backup !== undefined) removeCatalogue(options.folder)
    return report
  })
}

async function within<T>(
  env: Environment,
  { above, from }: Costly,
  act: (options: SurveyOptions) => Promise<T>,
): Promise<T> {
  const { agentKey, dataDir } = readChainConfig(env)
  const folder = resolve(dataDir)
  refuseMissing(folder)
  const wallet = walletOf(agentKey ?? agentKeyIn(folder))
  // Held for as long as it takes, so that no server starts meanwhile.
  const lock = openDataFolder(folder)
  try {
    const { registry } = await foundingPair({ first: firstTransaction(folder), wallet })
    const bounds = { above: above ?? readConfig(env).rpc.gas, from }
    const own = runsOwnCode(() => registry)
    return await act({ folder, agent: wallet.address, ...bounds, runsOwnCode: own })
  } finally {
    lock.close()
  }
}

function refuseMissing(folder: string): void {
  if (existsSync(join(folder, 'chain.sqlite'))) return
  throw new Failure('folder/unusable', { folder, problem: 'it holds no chain' })
}

function agentKeyIn(folder: string): Hex {
  try {
    return readAgentKey('agent.key', readFileSync(join(folder, 'agent.key'), 'utf8'))
  } catch (cause) {
    const problem = 'must be set where the data folder holds no agent.key'
    throw new Failure('config/invalid', { name: 'AGENT_PRIVATE_KEY', problem }, { cause })
  }
}

function removeCatalogue(folder: string): void {
  for (const end of ['', '-wal', '-shm'])
    rmSync(join(folder, `${catalogueFile}${end}`), { force: true })
}
