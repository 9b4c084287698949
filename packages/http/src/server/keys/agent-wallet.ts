import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DataFolder } from '@heirloom/adapters/internal/data-folder'
import {
  type KeyServiceEvent,
  type KeyServiceSigner,
  keyServiceSigner,
  signerWallet,
} from '@heirloom/adapters/signer'
import { walletOf } from '@heirloom/adapters/wallet'
import type { Hex } from '@heirloom/core'
import type { LocalAccount } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import type { ChainConfig } from '../../config/config.ts'
import { type KeyServiceSource, readAgentKey } from '../../config/read-keys.ts'
import { agentFile } from '../whole-folder.ts'
import { openKeyService } from './open-key-service.ts'

/** The agent wallet, which signs with a key of this process or with one in a service. */
export type AgentWallet = {
  readonly wallet: LocalAccount
  /** Its private key; absent where a service has it. Only an embedded chain opens faster with it. */
  readonly key: Hex | undefined
  /** The signer of the service; absent where the key is here. */
  readonly service: KeyServiceSigner | undefined
}

type Configured = Pick<ChainConfig, 'agentKey' | 'keyService'>

type Observe = (event: KeyServiceEvent) => void

/**
 * Returns the agent wallet of a server: of the configured service or key; without one, generates a key
 * once and stores it in the folder.
 *
 * @throws `config/invalid` if a stored key is damaged, `folder/unusable`
 */
export function openAgentWallet(
  config: Configured,
  folder: DataFolder,
  observe?: Observe,
): AgentWallet {
  const stored = () => readAgentKey(agentFile, folder.secret(agentFile, generatePrivateKey))
  return configuredWallet(config, observe) ?? ofKey(stored())
}

/**
 * Returns the agent wallet that a server with this data folder has; `undefined` before it has one.
 * Creates nothing, and asks no service.
 *
 * @throws `config/invalid` if a stored key is damaged
 */
export function findAgentWallet(config: Configured, folder: string): AgentWallet | undefined {
  const path = join(folder, agentFile)
  const stored = () =>
    existsSync(path) ? ofKey(readAgentKey(agentFile, readFileSync(path, 'utf8'))) : undefined
  return configuredWallet(config) ?? stored()
}

/** Returns the wallet that the environment alone determines, if it does. */
export function configuredWallet(
  { agentKey, keyService }: Configured,
  observe?: Observe,
): AgentWallet | undefined {
  if (keyService !== undefined) return ofService(keyService, observe)
  return agentKey === undefined ? undefined : ofKey(agentKey)
}

const ofKey = (key: Hex): AgentWallet => ({ wallet: walletOf(key), key, service: undefined })

function ofService(source: KeyServiceSource, observe: Observe | undefined): AgentWallet {
  const { address } = source
  const service = keyServiceSigner({
    service: openKeyService(source),
    address,
    ...(observe && { observe }),
  })
  return { wallet: signerWallet(service), key: undefined, service }
}
