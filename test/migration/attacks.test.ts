import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFailure } from '@heirloom/core'
import {
  createWalletClient,
  decodeFunctionData,
  type Hex,
  http,
  type LocalAccount,
  type TransactionSerializable,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { waitForTransactionReceipt } from 'viem/actions'
import { base, foundry } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  forwarderAbi,
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { openMigration } from '../../packages/http/src/cli/operator/migrate/open-migration.ts'
import { runRound } from '../../packages/http/src/cli/operator/migrate/run-round.ts'
import { openMemories } from '../../packages/http/src/cli/operator/migrate/side.ts'
import { recordPlace } from '../../packages/http/src/server/folder-place.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { publicAccount } from '../harness/copier.ts'
import {
  buildNewServer,
  copyNewServer,
  migrate,
  type NewServer,
} from '../harness/migration/new-server.ts'
import { buildOldServer } from '../harness/migration/old-server.ts'
import { downloadAs, hostServer, post } from '../harness/process/server.ts'

let home: string
let anvil: Anvil
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'migrate-'))
  anvil = await startAnvil({ chainId: 8453 })
})
afterEach(async () => {
  await anvil.stop()
  rmSync(home, { recursive: true, force: true })
})

type Interception = (transaction: TransactionSerializable, number: number) => Promise<void>

/** Migrates in this process; `intercept` runs whenever a transaction is signed, before it is sent. */
async function migrateHere(from: string, to: NewServer, intercept: Interception): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const options = { env: { DATA_DIR: from }, to: to.file, keys: undefined, listings: true }
  const migration = await openMigration(options, resources)
  const target = await openMemories(migration.side, resources)
  const round = await migration.readRound()
  migration.journal.append(round)
  let count = 0
  const payer: LocalAccount = {
    ...migration.chain.payer,
    signTransaction: async (transaction, options) => {
      count += 1
      await intercept(transaction as TransactionSerializable, count)
      return migration.chain.payer.signTransaction(transaction, options)
    },
  }
  const chain = { ...migration.chain, payer }
  await runRound({ ...migration, chain, to: target, onStep: async () => undefined }, round)
}

/** A funded account that nobody knows. */
async function newThief() {
  const thief = privateKeyToAccount(generatePrivateKey())
  await testClient(anvil).setBalance({ address: thief.address, value: 10n ** 18n })
  return createWalletClient({ account: thief, transport: http(anvil.url.href), chain: base })
}

const totalSupply = ({ client, pair }: NewServer) =>
  client.readContract({
    address: pair.registry,
    abi: memoryRegistryAbi,
    functionName: 'totalSupply',
  })

describe('a thief', () => {
  it('who takes the offer of a set-up from the mempool gets a fork that opens nothing', async () => {
    const old = await buildOldServer(join(home, 'old'))
    const target = await buildNewServer(anvil, home)
    const thief = await newThief()
    let stolen = 0n
    await migrateHere(old.folder, target, async ({ data = '0x' }) => {
      const call = decodeFunctionData({ abi: forwarderAbi, data })
      const [requests] = call.args as unknown as [
        readonly { readonly data: Hex; readonly to: Hex }[],
      ]
      const [offer] = requests
      const isOffer = offer?.to.toLowerCase() === target.pair.marketplace.toLowerCase()
      if (!isOffer || requests.length === 1 || stolen > 0n) return
      const { forwarder: address, marketplace } = target.pair
      const forward = { address, abi: forwarderAbi, functionName: 'execute', args: [offer] }
      const seeMined = (hash: Hex) =>
        waitForTransactionReceipt(thief, { hash, pollingInterval: 10 })
      await seeMined(await thief.writeContract(forward as never))
      const fork = {
        address: marketplace,
        abi: memoryMarketplaceAbi,
        functionName: 'fork',
      } as const
      const args = [1n, thief.account.address, 10_000n] as const
      await seeMined(await thief.writeContract({ ...fork, args, value: 1n }))
      stolen = await totalSupply(target)
    })
    expect(stolen).toBe(15n)
    const server = await hostServer(target.env)
    try {
      const opened = await downloadAs(thief.account, server.url, `${stolen}`)
      expect(opened.status).not.toBe(200)
      const status = await migrate({ from: old.folder, to: target }, '--status', '--json')
      const { moved } = JSON.parse(status.out) as { moved: { from: string; to: string }[] }
      expect(moved.length).toBe(20)
      for (const [id, owner] of [
        [1, old.ann],
        [2, old.agent],
        [4, old.bob],
      ] as const) {
        const { to = '' } = moved.find(({ from }) => from === String(id)) ?? {}
        expect((await downloadAs(owner, server.url, to)).status).toBe(200)
        expect((await downloadAs(thief.account, server.url, to)).status).toBe(403)
      }
    } finally {
      await server.end()
    }
  })

  it('who carries out a signed mint himself changes nothing', async () => {
    const old = await buildOldServer(join(home, 'old'))
    const target = await buildNewServer(anvil, home)
    const thief = await newThief()
    await migrateHere(old.folder, target, async ({ data = '0x' }, number) => {
      const { args } = decodeFunctionData({ abi: forwarderAbi, data })
      const [[mint]] = args as unknown as [readonly [object]]
      const { forwarder: address } = target.pair
      const forward = { address, abi: forwarderAbi, functionName: 'execute', args: [mint] }
      if (number === 1) await thief.writeContract(forward as never)
    })
    expect(await totalSupply(target)).toBe(20n)
  })
})

describe('two migrations of one server', () => {
  it('at once: one of them stops, and nothing is there twice', async () => {
    const old = await buildOldServer(join(home, 'old'))
    const target = await buildNewServer(anvil, home)
    // Another machine, with a copy of the data folder and a journal of its own.
    cpSync(old.folder, join(home, 'copy'), { recursive: true })
    recordPlace(join(home, 'copy'))
    const elsewhere = copyNewServer(target, home)
    const first = migrateHere(old.folder, target, async (_, number) => {
      if (number === 1) await migrateHere(join(home, 'copy'), elsewhere, async () => undefined)
    })
    const failure = await first.catch((error: unknown) => error)
    expect(isFailure(failure, 'migration/disturbed')).toBe(true)
    expect(await totalSupply(target)).toBe(20n)
  })
})

describe('owners that somebody else could be', () => {
  it('get nothing on another chain, and nobody gets what was sold meanwhile', async () => {
    const chain = await startAnvil()
    try {
      const source = await buildNewServer({ ...chain }, join(home, 'a'))
      const server = await hostServer(source.env)
      const [ann, eve] = [generatePrivateKey(), generatePrivateKey()].map((key) =>
        privateKeyToAccount(key),
      )
      const contract = source.pair.dollar
      for (const recipient of [contract, publicAccount(2).address, ann?.address, ann?.address]) {
        const memory = { data: {}, metadata: { category: 'research' }, recipient }
        const reply = await post(server.url, '/api/memory/snapshot', JSON.stringify(memory))
        expect(reply.status).toBe(201)
      }
      await server.end()
      const target = await buildNewServer(anvil, home)
      const from = source.folder
      const env = source.env
      const killed = await migrate({ from, env, to: target, killAt: 1 }, '--yes', '--json')
      expect(killed.code).toBe(null)
      await give(chain, source, { from: ann as LocalAccount, to: eve?.address as Hex, id: 4n })
      const done = await migrate({ from, env, to: target }, '--yes', '--json')
      const report = JSON.parse(done.out)
      expect(report.staying).toMatchObject([
        { tokenId: '1', reason: 'owner-is-contract' },
        { tokenId: '2', reason: 'key-is-public' },
        { tokenId: '4', reason: 'transferred-since' },
      ])
      const again = JSON.parse((await migrate({ from, env, to: target }, '--yes', '--json')).out)
      expect(again.moved).toMatchObject([
        { from: '3', to: '1', owner: ann?.address },
        { from: '4', to: '2', owner: eve?.address },
      ])
    } finally {
      await chain.stop()
    }
  })
})

type Gift = { readonly from: LocalAccount; readonly to: Hex; readonly id: bigint }

/** Transfers a token on a chain. */
async function give(chain: Anvil, { pair }: NewServer, { from, to, id }: Gift): Promise<void> {
  await testClient(chain).setBalance({ address: from.address, value: 10n ** 18n })
  const client = createWalletClient({
    account: from,
    transport: http(chain.url.href),
    chain: foundry,
  })
  const transfer = { abi: memoryRegistryAbi, functionName: 'transferFrom' } as const
  await client.writeContract({
    address: pair.registry,
    ...transfer,
    args: [from.address, to, id],
  })
}
