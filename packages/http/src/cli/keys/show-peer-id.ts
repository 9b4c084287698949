import { peerIdOf } from '@heirloom/adapters/blob-store/peer-id'
import { invalidVariable, readText } from '../../config/environment.ts'
import { readPeerKey } from '../../config/read-keys.ts'
import type { KeysCall } from './keys.ts'

/** Prints the peer id of IPFS_PEER_KEY. */
export async function showPeerId({ terminal, output }: KeysCall): Promise<number> {
  const key = readText(terminal.env, 'IPFS_PEER_KEY')
  if (key === undefined) throw invalidVariable('IPFS_PEER_KEY', 'must be set to print its peer id')
  const peerId = await peerIdOf(readPeerKey('IPFS_PEER_KEY', key))
  await output.result({ value: { peerId }, lines: [peerId] })
  return 0
}
