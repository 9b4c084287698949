import { resolve } from 'node:path'
import { account, Failure } from '@heirloom/core'
import { bytesToHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { readChainConfig } from '../../../config/config.ts'
import { type Environment, invalidVariable, readText } from '../../../config/environment.ts'
import { type KeyPlace, readKeyPlace, readPeerKey } from '../../../config/read-keys.ts'
import { findAgentWallet, openKeyService } from '../../../server/keys/agent-wallet.ts'
import { agentFile } from '../../../server/whole-folder.ts'
import type { KeysCall } from './key-installation.ts'

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

/** Prints the peer id of IPFS_PEER_KEY. */
export async function showPeerId({ terminal, output }: KeysCall): Promise<number> {
  const key = readText(terminal.env, 'IPFS_PEER_KEY')
  if (key === undefined) throw invalidVariable('IPFS_PEER_KEY', 'must be set to print its peer id')
  // Loaded here: the agent wallet needs none of it.
  const { peerIdOf } = await import('@heirloom/adapters/blob-store/peer-id')
  const peerId = await peerIdOf(readPeerKey('IPFS_PEER_KEY', key))
  await output.result({ value: { peerId }, lines: [peerId] })
  return 0
}
