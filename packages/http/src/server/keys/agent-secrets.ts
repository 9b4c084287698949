import type { DataFolder } from '@heirloom/adapters/internal/data-folder'
import { walletOf } from '@heirloom/adapters/wallet'
import type { Hex } from '@heirloom/core'
import type { LocalAccount } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import type { Config } from '../../config/config.ts'
import { readAgentKey } from '../../config/key-text.ts'
import { agentFile } from '../whole-folder.ts'

/** The private key of the agent wallet, and its account. */
export type AgentSecrets = { readonly agentKey: Hex; readonly wallet: LocalAccount }

/**
 * Returns the configured key of the agent wallet; without one, generates a key once and stores it in
 * the folder.
 *
 * @throws `config/invalid` if a stored key is damaged, `folder/unusable`
 */
export function agentSecrets(
  { agentKey }: Pick<Config, 'agentKey'>,
  folder: DataFolder,
): AgentSecrets {
  const key = agentKey ?? storedAgentKey(folder)
  return { agentKey: key, wallet: walletOf(key) }
}

function storedAgentKey(folder: DataFolder): Hex {
  return readAgentKey(agentFile, folder.secret(agentFile, generatePrivateKey))
}
