import { randomBytes } from 'node:crypto'
import type { DataFolder } from '@heirloom/adapters/data-folder'
import { walletOf } from '@heirloom/adapters/wallet'
import type { Hex } from '@heirloom/core'
import type { LocalAccount } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { type Config, readAgentKey, readMasterKeys } from './config.ts'

export type Secrets = {
  readonly agentKey: Hex
  readonly wallet: LocalAccount
  readonly masterKeys: readonly Uint8Array[]
}

/**
 * Returns the configured keys; one that is not configured is made once and kept in the folder.
 *
 * @throws `config/invalid` when a kept key was damaged, `folder/unusable`
 */
export function secretsOf(
  { agentKey, masterKeys }: Pick<Config, 'agentKey' | 'masterKeys'>,
  folder: DataFolder,
): Secrets {
  const key = agentKey ?? keptAgentKey(folder)
  return {
    agentKey: key,
    wallet: walletOf(key),
    masterKeys: masterKeys.length > 0 ? masterKeys : keptMasterKeys(folder),
  }
}

function keptAgentKey(folder: DataFolder): Hex {
  return readAgentKey('agent.key', folder.secret('agent.key', generatePrivateKey))
}

function keptMasterKeys(folder: DataFolder): readonly Uint8Array[] {
  const make = () => randomBytes(32).toString('hex')
  return readMasterKeys('master.keys', folder.secret('master.keys', make))
}
