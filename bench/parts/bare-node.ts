import { deployContracts } from '@heirloom/adapters/contracts'
import { createPublicClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { testClient } from '../../test/harness/chain/anvil.ts'
import { serveRequests } from './child.ts'
import { mintsOf } from './mints.ts'

// The yardstick of writes on a node in another process: pre-signed mints, each sent once the receipt
// of the one before is there. Nothing is sealed, stored, estimated or checked.

type Input = { readonly node: string; readonly count: number }

const wallet = privateKeyToAccount(generatePrivateKey())
let opening: Promise<Awaited<ReturnType<typeof open>>> | undefined

async function open(node: string) {
  const url = new URL(node)
  await testClient({ url }).setBalance({ address: wallet.address, value: 10n ** 24n })
  const client = createPublicClient({ transport: http(node, { retryCount: 0 }), cacheTime: 0 })
  const contracts = await deployContracts({ chain: url, wallet })
  const chain = { request: (call: object) => client.request(call as never) as Promise<unknown> }
  return { chain, mints: await mintsOf({ chain, wallet, contracts }) }
}

serveRequests<Input>(async ({ node, count }) => {
  opening ??= open(node)
  const { chain, mints } = await opening
  const signed = await mints.sign(count)
  const began = performance.now()
  for (const raw of signed) {
    const hash = await chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
    const receipt = () => chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    while (!(await receipt()));
  }
  return (1000 * count) / (performance.now() - began)
})
