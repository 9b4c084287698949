import { embeddedChain } from '@heirloom/adapters/chain'
import { embeddedContracts } from '@heirloom/adapters/contracts'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { answer } from './child.ts'
import { mintsOf } from './mints.ts'

/** Which chain gets a history, and how many mints, each a transaction of its own. */
export type History = { readonly folder: string; readonly key: Hex; readonly mints: number }

// In a process of its own, since the chain that is made stays in its memory.

answer<History>(async ({ folder, key, mints: wanted }) => {
  const wallet = privateKeyToAccount(key)
  const chain = await embeddedChain({ folder, now: () => Date.now(), funded: [wallet.address] })
  const contracts = await embeddedContracts({ chain, wallet })
  const mints = await mintsOf({ chain, wallet, contracts })
  for (let made = 0; made < wanted; made += 1_000) {
    for (const raw of await mints.sign(Math.min(1_000, wanted - made))) {
      await chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
    }
  }
  await chain.close()
  return wanted
})
