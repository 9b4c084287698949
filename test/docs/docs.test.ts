import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, type Claim, splitPrice, tokenId, wei } from '@heirloom/core'
import { keccak256, toHex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ContractHarness,
  openContractHarness,
  party,
} from '../../packages/adapters/contracts/test/contract-harness.ts'
import { agentOf, downloadAs, post, type Snapshot, startServer } from '../harness/process/server.ts'
import { read, rowsUnder } from './docs.ts'

const [ada, ben, cleo, dan, eve] = [party(1), party(2), party(3), party(4), party(5)]

let harness: ContractHarness
beforeAll(async () => {
  harness = await openContractHarness()
})

describe('docs/royalties.md', () => {
  const makers = [ada, ben, cleo, dan]
  const royalties = [1_000n, 2_500n, 500n]
  const rows = rowsUnder(read('docs/royalties.md'), '## An example')
  const documented = rows.map(([, price = '', ...cells]) => ({
    price: BigInt(price),
    earned: cells.slice(0, 4).map(BigInt),
    shares: cells[4],
  }))

  it('shows the amounts that the core computes', () => {
    const computed = documented.map(({ price }, seller) => {
      const shares = royalties.slice(0, seller).map(Number)
      const claims = shares.map((royaltyBps, at): Claim => {
        const creator = account(makers[at]?.address ?? '')
        return { tokenId: tokenId(BigInt(at + 1)), creator, royaltyBps }
      })
      const split = splitPrice(wei(price), claims)
      const due = new Map<string, bigint>(split.royalties.map(({ to, amount }) => [to, amount]))
      due.set(makers[seller]?.address ?? '', split.rest)
      const earned = makers.map(({ address }) => due.get(address) ?? 0n)
      return { price, earned, shares: shares.join(', ') || 'none' }
    })
    expect(documented).toHaveLength(4)
    expect(documented).toEqual(computed)
  })

  it('explains the last row with its own numbers', () => {
    const { price = 0n, earned = [] } = documented.at(-1) ?? {}
    expect(sum(earned)).toBe(price)
    const [, prose = ''] = /\n(Read the last line .*)\n/.exec(read('docs/royalties.md')) ?? []
    const numbers = prose.match(/\d{9,}/g)?.map(BigInt) ?? []
    expect(new Set(numbers)).toEqual(new Set([price, ...earned]))
  })

  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n)

  it('shows the amounts that the contracts pay', async () => {
    const balances = () => Promise.all(makers.map((maker) => harness.client.getBalance(maker)))
    const content = [
      ada.address,
      keccak256(toHex('content')),
      keccak256(toHex('bundle')),
      0n,
    ] as const
    await harness.mined(harness.registry.write.mint(content, { account: ada }))
    let sold = await harness.registry.read.totalSupply()
    let owed = 0n
    for (const [generation, { price, earned }] of documented.entries()) {
      const seller = makers[generation] ?? ada
      const buyer = makers[generation + 1] ?? eve
      const royaltyBps = royalties[generation] ?? 0n
      const terms = [sold, price, 0n, price, royaltyBps] as const
      owed += royaltyBps
      await harness.mined(harness.marketplace.write.list(terms, { account: seller }))
      const payment = { account: buyer, value: price, gasPrice: 10n ** 10n }
      const before = await balances()
      const sale =
        buyer === eve
          ? harness.marketplace.write.buy([sold, buyer.address], payment)
          : harness.marketplace.write.fork([sold, buyer.address, owed], payment)
      const { gasUsed, effectiveGasPrice } = await harness.mined(sale)
      const spent = makers.map((maker) =>
        maker === buyer ? price + gasUsed * effectiveGasPrice : 0n,
      )
      const after = await balances()
      const moved = after.map((held, at) => held - (before[at] ?? 0n) + (spent[at] ?? 0n))
      expect(moved).toEqual(earned)
      sold = await harness.registry.read.totalSupply()
    }
    expect(await harness.registry.read.ownerOf([sold])).toBe(eve.address)
  })
})

describe('docs/contracts.md', () => {
  it('shows how to verify a downloaded memory', async () => {
    const [, commands = ''] = /```bash\n([\s\S]*?)```/.exec(read('docs/contracts.md')) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'verify-'))
    const server = await startServer({ DATA_DIR: folder })
    try {
      const document = '{"data":{"learned":["café"]},"metadata":{"category":"research"}}'
      const answer = await post(server.url, '/api/memory/snapshot', document)
      const { tokenId, contentHash } = (await answer.json()) as Snapshot
      const memory = await downloadAs(agentOf(folder), server.url, tokenId)
      writeFileSync(join(folder, 'memory.json'), Buffer.from(await memory.arrayBuffer()))
      const deployment = await (await fetch(`${server.url}/api/deployment`)).json()
      const { registry } = deployment as { readonly registry: string }
      const printed = execFileSync('bash', ['--norc', '-eo', 'pipefail', '-c', commands], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          SALT: memory.headers.get('x-content-salt') ?? '',
          RPC_URL: `${server.url}/rpc`,
          REGISTRY_ADDRESS: registry,
          TOKEN: tokenId,
        },
      })
      const digits = contentHash.slice(2)
      expect(String(printed).trim().split('\n')).toEqual([digits, digits])
    } finally {
      await server.end('SIGTERM')
      rmSync(folder, { recursive: true })
    }
  })
})
