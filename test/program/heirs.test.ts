import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { createClient } from '@heirloom/http/client'
import { wallets } from '@heirloom/testkit'
import { createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../packages/adapters/src/ledger/connection.ts'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { readConfig } from '../../packages/http/src/config/config.ts'
import { serve } from '../../packages/http/src/server/serve.ts'
import { run } from '../../packages/http/test/command-harness.ts'
import { readUntil } from '../../packages/http/test/wallet-harness.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { deployDollar } from '../harness/chain/order-payment.ts'

const words = 'test test test test test test test test test test test junk'
const accountAt = (addressIndex: number) => mnemonicToAccount(words, { addressIndex })
const keyOf = (account: ReturnType<typeof accountAt>) =>
  `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}` as const
const [ada, ben, cleo, agent] = [accountAt(0), accountAt(1), accountAt(2), accountAt(3)]
const day = 86_400

const folder = mkdtempSync(join(tmpdir(), 'heirs-'))
let anvil: Anvil
let pair: Awaited<ReturnType<typeof deployContracts>>
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  anvil = await startAnvil()
  const chain = { chain: anvil.url, wallet: wallets[0] }
  const client = testClient(anvil)
  await client.setBalance({ address: wallets[0].address, value: 10n ** 22n })
  const dollar = await deployDollar(connect(anvil.url), wallets[0])
  pair = await deployContracts({ ...chain, dollar })
  server = await serve(
    readConfig({
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'silent',
      RPC_URL: anvil.url.href,
      AGENT_PRIVATE_KEY: keyOf(agent),
      MARKETPLACE_ADDRESS: pair.marketplace,
      REGISTRY_ADDRESS: pair.registry,
      MASTER_KEYS: '7'.repeat(64),
    }),
  )
  await server.ready
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
  rmSync(folder, { recursive: true })
})

const clientOf = (account: ReturnType<typeof accountAt>) =>
  createWalletClient({ account, chain: foundry, transport: http(anvil.url.href) })
const node = () => createPublicClient({ chain: foundry, transport: http(anvil.url.href) })

const mined = async (sent: Promise<Hex>) => {
  const receipt = await node().waitForTransactionReceipt({ hash: await sent })
  expect(receipt.status).toBe('success')
}

async function passDays(days: number): Promise<void> {
  const client = testClient(anvil)
  await client.increaseTime({ seconds: days * day })
  await client.mine({ blocks: 1 })
}

async function command(account: ReturnType<typeof accountAt>, ...more: readonly string[]) {
  const env = {
    HEIRLOOM_URL: server.url,
    HEIRLOOM_RPC_URL: anvil.url.href,
    HEIRLOOM_PRIVATE_KEY: keyOf(account),
  }
  const { code, out, err } = await run(['heir', ...more, '--json'], { env })
  return { code, value: JSON.parse(out || err) }
}

/** Mints tokens of an account itself, in batches of 200, and returns their ids. */
async function mint(account: ReturnType<typeof accountAt>, count: number): Promise<void> {
  const hash: Hex = `0x${'7'.repeat(64)}`
  const item = { recipient: account.address, contentHash: hash, digest: hash, parent: 0n }
  for (let rest = count; rest > 0; rest -= 200) {
    const items = Array.from({ length: Math.min(rest, 200) }, () => item)
    const call = { address: pair.registry, abi: memoryRegistryAbi } as const
    await mined(
      clientOf(account).writeContract({ ...call, functionName: 'mintBatch', args: [items] }),
    )
  }
}

/** Makes an account refuse money, and lets it sell a token, so that it is credited. */
async function earnCredit(account: ReturnType<typeof accountAt>, tokenId: bigint): Promise<void> {
  const client = clientOf(account)
  const authorization = await client.signAuthorization({
    contractAddress: pair.registry,
    executor: 'self',
  })
  await mined(client.sendTransaction({ to: cleo.address, authorizationList: [authorization] }))
  const market = { address: pair.marketplace, abi: memoryMarketplaceAbi } as const
  const terms = [tokenId, 700n, 0n, 0n, 0n] as const
  // Until anvil drops the mined transaction, its pending count misses the authorization's own nonce.
  const nonce = await node().getTransactionCount({ address: account.address, blockTag: 'latest' })
  await mined(client.writeContract({ ...market, functionName: 'list', args: terms, nonce }))
  const buying = { ...market, functionName: 'buy', args: [tokenId, cleo.address] } as const
  await mined(clientOf(cleo).writeContract({ ...buying, value: 700n }))
}

test('an heir takes over more tokens than fit into one transaction, and the credit', async () => {
  await mint(ada, 206)
  await earnCredit(ada, 1n)
  const client = createClient({ url: server.url })
  await readUntil(
    () => client.earnings(ada.address),
    ({ credit }) => credit === '700',
  )
  const named = await command(ada, 'name', ben.address, '--silence', '30', '--notice', '30')
  expect(named).toMatchObject({ code: 0 })
  await passDays(30)
  expect((await command(ben, 'take-over', ada.address)).value).toMatchObject({
    code: 'heir/not-announced',
  })
  const announced = await command(ben, 'announce', ada.address)
  expect((await command(cleo, 'show', ada.address)).value).toMatchObject({
    state: 'announced',
    takeoverAt: announced.value.takeoverAt,
  })
  await passDays(30)
  expect((await command(cleo, 'show', ada.address)).value).toMatchObject({ state: 'due' })
  const quote = await command(ben, 'take-over', ada.address, '--dry-run')
  expect(quote.value).toMatchObject({ dryRun: true, from: ben.address, to: pair.registry })
  const { code, value } = await command(ben, 'take-over', ada.address)
  expect([code, value]).toMatchObject([
    0,
    { account: ada.address, heir: ben.address, credit: '700', dollarCredit: '0' },
  ])
  expect([value.tokenIds.length, value.txHashes.length]).toEqual([205, 3])
  const { items } = await readUntil(
    () => client.memories({ owner: ada.address }),
    ({ items: left }) => left.length === 0,
  )
  expect(items).toEqual([])
  const earned = await readUntil(
    () => client.earnings(ben.address),
    ({ credit }) => credit === '700',
  )
  expect(earned).toMatchObject({ credit: '700' })
  expect((await command(ben, 'take-over', ada.address)).value).toMatchObject({ tokenIds: [] })
  const history = await client.history('2')
  expect(history.items.map(({ kind }) => kind)).toEqual(['transfer', 'mint', 'transfer'])
})
