import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { createPublicClient, http, keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import {
  crashPoints,
  type LaneProcessOptions,
  startLaneProcess,
} from '../harness/nonce-lane/lane-process.ts'

let anvil: Anvil
let folder: string

beforeAll(async () => {
  anvil = await startAnvil()
  folder = mkdtempSync(join(tmpdir(), 'lane-'))
})

afterAll(async () => {
  await anvil.stop()
  rmSync(folder, { recursive: true })
})

/** Creates a wallet with its own contract pair and job store. */
async function newWallet(name: string): Promise<LaneProcessOptions> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const store = { sqlite: join(folder, `${name}.sqlite`) }
  return { rpc: anvil.url.href, privateKey, contracts: { registry, marketplace }, store }
}

/** Returns the content hashes of all tokens, in the order of their mints. */
async function mintedHashes({ contracts, rpc }: LaneProcessOptions): Promise<readonly string[]> {
  const client = createPublicClient({ transport: http(rpc) })
  const registry = { address: contracts.registry, abi: memoryRegistryAbi } as const
  const supply = await client.readContract({ ...registry, functionName: 'totalSupply' })
  const records = Array.from({ length: Number(supply) }, (_, index) =>
    client.readContract({ ...registry, functionName: 'recordOf', args: [BigInt(index + 1)] }),
  )
  return (await Promise.all(records)).map(([, , , , contentHash]) => contentHash)
}

const content = (name: string) => keccak256(toHex(name))

describe('a process that is killed', () => {
  // A store of one process stores a write with its signature.
  for (const crashAt of crashPoints.filter((point) => !point.endsWith('stored'))) {
    test(`${crashAt} neither loses nor repeats a write`, async () => {
      const options = await newWallet(crashAt)
      const [first, second] = [content('first'), content('second')]
      const killed = await startLaneProcess({ ...options, crashAt })
      const response = await killed.write({ mint: first, key: 'one' })
      expect(await killed.ended).toBe('SIGKILL')
      expect(response, 'no response before the write is settled').toBeUndefined()

      const next = await startLaneProcess(options)
      const again = await next.write({ mint: first, key: 'one' })
      expect(again).toMatchObject({ result: { tokenId: '1' } })
      expect(await next.write({ mint: first, key: 'one' })).toMatchObject({
        result: again && 'result' in again ? again.result : {},
      })
      expect(await next.write({ mint: second })).toMatchObject({ result: { tokenId: '2' } })
      await next.stop()
      expect(await mintedHashes(options)).toEqual([first, second])
    })
  }
})
