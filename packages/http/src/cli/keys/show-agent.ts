import { resolve } from 'node:path'
import { account, Failure } from '@heirloom/core'
import { bytesToHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { readChainConfig } from '../../config/config.ts'
import type { Environment } from '../../config/environment.ts'
import { type KeyPlace, readKeyPlace } from '../../config/read-keys.ts'
import { findAgentWallet, openKeyService } from '../../server/keys/agent-wallet.ts'
import { agentFile } from '../../server/whole-folder.ts'
import type { KeysCall } from './keys.ts'

/** Prints the address of the agent wallet. AGENT_ADDRESS need not be set for it yet. */
export async function showAgent({ terminal: { env }, output }: KeysCall): Promise<number> {
  const place = readKeyPlace(env)
  const address = place === undefined ? ownAddress(env) : await askAddress(place)
  await output.result({ value: { address }, lines: [address] })
  return 0
}

async function askAddress(place: KeyPlace): Promise<string> {
  const service = openKeyService(place)
  try {
    return account(publicKeyToAddress(bytesToHex(await service.publicKey())))
  } finally {
    await service.close?.()
  }
}

function ownAddress(env: Environment): string {
  const config = readChainConfig(env)
  const folder = resolve(config.dataDir)
  const agent = findAgentWallet(config, folder)
  if (agent !== undefined) return agent.wallet.address
  const problem = `${agentFile} is not there yet; the first start of a server creates it`
  throw new Failure('folder/unusable', { folder, problem })
}
