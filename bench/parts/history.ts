import { embeddedChain } from '@heirloom/adapters/chain'
import { embeddedContracts } from '@heirloom/adapters/contracts'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { serveRequests } from './child.ts'
import { type Memory, mintsOf } from './mints.ts'

/** The chain to fill, and the number of mints, each in a transaction of its own. */
export type History = {
  readonly folder: string
  readonly key: Hex
  readonly mints: number
  readonly memory: Memory
}

// Runs in a process of its own, because the chain stays in the memory of its process.

serveRequests<History>(async ({ folder, key, mints: count, memory }) => {
  const wallet = privateKeyToAccount(key)
  const chain = await embeddedChain({ folder, now: () => Date.now(), funded: [wallet.address] })
  const contracts = await embeddedContracts({ chain, wallet })
  const mints = await mintsOf({ chain, wallet, contracts, memory })
  for (let made = 0; made < count; made += 1_000) {
    for (const raw of await mints.sign(Math.min(1_000, count - made))) {
      await chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
    }
  }
  await chain.close()
  return count
})
