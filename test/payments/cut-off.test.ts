import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { walletKeys, wallets } from '@heirloom/testkit'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { deployDollar, handOutDollars } from '../harness/chain/order-payment.ts'
import { newWallet, type Shop, shopAt } from '../harness/payments/shop.ts'
import { clientOf } from '../harness/process/deployer.ts'
import { type RunningServer, startServer } from '../harness/process/server.ts'

const [bank, seller, { address: agent }] = wallets as unknown as readonly [
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
]
const [cheap, dear] = [1_000_000n, 3_000_000n]

const home = mkdtempSync(join(tmpdir(), 'cut-off-'))
let anvil: Anvil
let contracts: Awaited<ReturnType<typeof deployContracts>> & { readonly dollar: Hex }
let environment: Readonly<Record<string, string>>
let server: RunningServer
let shop: Shop
beforeAll(async () => {
  anvil = await startAnvil()
  const chain = testClient(anvil)
  for (const { address } of wallets) await chain.setBalance({ address, value: 10n ** 20n })
  const dollar = await deployDollar(clientOf(anvil), bank)
  const pair = await deployContracts({ chain: anvil.url, wallet: bank, dollar })
  contracts = { ...pair, dollar }
  environment = {
    DATA_DIR: home,
    RPC_URL: anvil.url.href,
    MASTER_KEYS: `0x${'5'.repeat(64)}`,
    REGISTRY_ADDRESS: pair.registry,
    MARKETPLACE_ADDRESS: pair.marketplace,
    // The listings drive the price of gas up.
    AGENT_PRIVATE_KEY: walletKeys[2],
    RELAY_SPEND_PER_ACT: `${10n ** 19n}`,
    RELAY_SPEND_PER_ACCOUNT: `${10n ** 20n}`,
    RELAY_SPEND_PER_DAY: `${10n ** 20n}`,
  }
  server = await startServer(environment)
  shop = await shopAt(server.url, undefined, anvil.url.href)
})
afterAll(async () => {
  await server?.end('SIGKILL')
  await anvil?.stop()
  rmSync(home, { recursive: true })
})

/** The tip of the next listing, higher than any before. */
let tip = 10n ** 9n

/** Lists a token of the seller for rent, before everything else that waits for its block. */
async function listFirst(tokenId: string, rentalPricePerDay: bigint): Promise<void> {
  tip *= 4n
  const transport = http(anvil.url.href)
  await createWalletClient({ account: seller, chain: foundry, transport }).sendTransaction({
    to: contracts.marketplace,
    data: encodeFunctionData({
      abi: memoryMarketplaceAbi,
      functionName: 'listInDollars',
      args: [BigInt(tokenId), 0n, rentalPricePerDay, 0n, 0n],
    }),
    gas: 200_000n,
    maxFeePerGas: 10n ** 13n,
    maxPriorityFeePerGas: tip,
  })
}

/** Returns a wallet with dollars, and the fetch of an unmodified client that pays with it. */
async function newRenter(tokenId: string) {
  const wallet = newWallet()
  await handOutDollars({ client: clientOf(anvil), contracts }, bank, [wallet.address])
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(wallet))
  client.setSpendControls({
    allowedAssets: [{ network: `eip155:${foundry.id}`, asset: contracts.dollar }],
  })
  const path = `/api/x402/rent/${tokenId}?durationDays=1&recipient=${wallet.address}`
  const before = await shop.dollarsOf(wallet.address)
  return {
    rent: async () => (await wrapFetchWithPayment(fetch, client)(`${server.url}${path}`)).status,
    spent: async () => before - (await shop.dollarsOf(wallet.address)),
  }
}

test('a rental that kill -9 cut off is charged once, also when it is paid again at another price', async () => {
  const chain = testClient(anvil)
  const waiting = async () => (await chain.getTxpoolContent()).pending
  const waitingOf = async (of: Hex) =>
    Object.values(
      Object.entries(await waiting()).find(([it]) => it.toLowerCase() === of.toLowerCase())?.[1] ??
        {},
    )
  const memory = { data: {}, metadata: { category: 'research' }, recipient: seller.address }
  const minted = await shop.send('/api/memory/snapshot', memory)
  const { tokenId } = (await minted.json()) as { readonly tokenId: string }
  await listFirst(tokenId, cheap)
  const [ada, ben] = [await newRenter(tokenId), await newRenter(tokenId)]

  await chain.setAutomine(false)
  const cutOff = ada.rent().catch(() => 'no answer')
  await expect.poll(() => waitingOf(agent)).toHaveLength(1)
  await server.end('SIGKILL')
  expect(await cutOff).toBe('no answer')

  // The node forgets the settlement, and the price changes meanwhile.
  const [lost] = await waitingOf(agent)
  await chain.dropTransaction({ hash: lost?.hash ?? '0x' })
  await listFirst(tokenId, dear)
  await chain.mine({ blocks: 1 })
  server = await startServer(environment)
  await expect.poll(() => waitingOf(agent)).toHaveLength(1)

  // Ada asks again. That Ben, who asks after her, has paid shows that she had the time to pay too.
  const again = ada.rent()
  const other = ben.rent()
  await expect.poll(() => waitingOf(agent)).not.toHaveLength(1)
  const [settlement] = (await waitingOf(agent)).toSorted(
    (a, b) => Number(a.nonce) - Number(b.nonce),
  )

  // A block at the first price, with room for the first settlement alone, and one at the other price.
  await listFirst(tokenId, cheap)
  await chain.setBlockGasLimit({ gasLimit: 210_000n + BigInt(settlement?.gas ?? 0) })
  await chain.mine({ blocks: 1 })
  await listFirst(tokenId, dear)
  await chain.setBlockGasLimit({ gasLimit: 30_000_000n })
  await chain.setAutomine(true)
  await chain.mine({ blocks: 1 })

  expect([await again, await other]).toEqual([200, 200])
  expect(await ada.spent()).toBe(cheap)
  expect(await ben.spent()).toBe(dear)
})
