import { join } from 'node:path'
import { existingContracts } from '@heirloom/adapters/contracts'
import {
  createWalletClient,
  type Hex,
  http,
  type LocalAccount,
  parseTransaction,
  publicActions,
} from 'viem'
import { readValues } from '../../../packages/adapters/src/platform/sql/inspect-file.ts'

/** The chain of a folder of release 0.2.0: block 1 deploys a dollar, and block 2 the pair. */
const journal = join(import.meta.dirname, '../../fixtures/folders/0.2.0/data/chain.sqlite')

type Place = { readonly chain: URL; readonly wallet: LocalAccount }

/** Deploys the pair of the first release, which the programs of all releases know, without a dollar. */
export async function deployEarlierContracts({ chain, wallet: account }: Place) {
  const [raw = ''] = readValues(journal, 'SELECT hex(raw) AS value FROM entry WHERE number = 2')
  const { data = '0x' } = parseTransaction(`0x${raw.toLowerCase()}`)
  // The address of the dollar is the last word of the creation.
  const creation: Hex = `${data.slice(0, -64) as Hex}${'0'.repeat(64)}`
  const client = createWalletClient({ account, transport: http(chain.href) }).extend(publicActions)
  const hash = await client.sendTransaction({ chain: null, data: creation })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  return existingContracts({ chain, marketplace: contractAddress ?? '0x' })
}
