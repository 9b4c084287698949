import type { DataFolder } from '@heirloom/adapters/data-folder'
import { walletOf } from '@heirloom/adapters/wallet'
import type { Hex } from '@heirloom/core'
import type { LocalAccount } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import type { Config } from '../../config/config.ts'
import { readAgentKey } from '../../config/key-text.ts'
import { agentFile } from '../whole-folder.ts'

export type Secrets = { readonly agentKey: Hex; readonly wallet: LocalAccount }

/**
 * Returns the configured key of the agent wallet; one that is not configured is made once and
 * stored in the folder.
 *
 * @throws `config/invalid` when a stored key was damaged, `folder/unusable`
 */
export function secretsOf({ agentKey }: Pick<Config, 'agentKey'>, folder: DataFolder): Secrets {
  const key = agentKey ?? storedAgentKey(folder)
  return { agentKey: key, wallet: walletOf(key) }
}

function storedAgentKey(folder: DataFolder): Hex {
  return readAgentKey(agentFile, folder.secret(agentFile, generatePrivateKey))
}
