import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { createPublicClient, http, keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { crashPoints, type LaneChildOptions, startLane } from '../harness/nonce-lane/lane-process.ts'

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

/** A wallet of its own on the shared chain, with a contract pair of its own. */
async function place(name: string): Promise<LaneChildOptions> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const store = { sqlite: join(folder, `${name}.sqlite`) }
  return { rpc: anvil.url.href, privateKey, contracts: { registry, marketplace }, store }
}

/** The content hashes of all tokens, in the order of their minting. */
async function minted({ contracts, rpc }: LaneChildOptions): Promise<readonly string[]> {
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
  for (const crashAt of crashPoints) {
    test(`${crashAt} loses no write and does none twice`, { timeout: 60_000 }, async () => {
      const options = await place(crashAt)
      const [first, second] = [content('first'), content('second')]
      const victim = await startLane({ ...options, crashAt })
      const reply = await victim.ask({ mint: first, key: 'one' })
      expect(await victim.ended).toBe('SIGKILL')
      expect(reply, 'it answers nothing before it is settled').toBeUndefined()

      const heir = await startLane(options)
      const again = await heir.ask({ mint: first, key: 'one' })
      expect(again).toMatchObject({ result: { tokenId: '1' } })
      expect(await heir.ask({ mint: first, key: 'one' })).toMatchObject({
        result: again && 'result' in again ? again.result : {},
      })
      expect(await heir.ask({ mint: second })).toMatchObject({ result: { tokenId: '2' } })
      await heir.stop()
      expect(await minted(options)).toEqual([first, second])
    })
  }
})
