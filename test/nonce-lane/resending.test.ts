import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Hex, wei } from '@heirloom/core'
import { toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { balanced } from '../harness/nonce-lane/expect-balanced.ts'
import { laneScene } from '../harness/nonce-lane/lane-harness.ts'
import { content, laneStage, mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'

const scene = laneScene()

describe('what was sent', () => {
  test('is sent again when the node forgets it', async () => {
    const ledger = await scene.stage.open()
    await scene.chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => scene.told('signed') === 1)
    await scene.chain.dropTransaction({ hash: await pending() })
    await until(() => scene.told('resent') > 0)
    await scene.chain.setAutomine(true)
    await scene.chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(1n)
    await balanced(scene.stage, ['a'])
  })

  test('is sent again to a node that comes back without what it had not mined', async () => {
    const state = join(mkdtempSync(join(tmpdir(), 'anvil-')), 'state.json')
    const first = await startAnvil({ state })
    const there = await laneStage(first)
    const ledger = await there.open()
    await mint(ledger, 'mined')
    await testClient(first).setAutomine(false)
    const minted = mint(ledger, 'forgotten')
    await until(() => there.events.filter(({ kind }) => kind === 'signed').length === 2)
    await first.stop()
    const again = await startAnvil({ state, port: Number(first.url.port) })
    expect((await minted).tokenId).toBe(2n)
    expect(await there.minted()).toEqual([content('mined'), content('forgotten')])
    await there.close()
    await again.stop()
    rmSync(dirname(state), { recursive: true })
  })

  test('is replaced at a higher price when it is stuck, and done once', async () => {
    const ledger = await scene.stage.open({ stuckAfter: 0 })
    await mint(ledger, 'first')
    await scene.chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => scene.told('signed') === 2)
    const hash = await pending()
    const { maxFeePerGas = 0n } = await scene.stage.client.getTransaction({ hash })
    await scene.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas + 1n })
    await scene.chain.mine({ blocks: 1 })
    await until(() => scene.told('replaced') > 0)
    await scene.chain.setAutomine(true)
    while (scene.told('settled') < 2) await scene.chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(2n)
    await balanced(scene.stage, ['first', 'a'])
  })

  test('is not replaced at more than 16 times its first price', async () => {
    const ledger = await scene.stage.open({ stuckAfter: 0 })
    expect((await mintUnreplaced(ledger, { nth: 1, times: 17n })).tokenId).toBe(1n)
    await balanced(scene.stage, ['a'])
  })

  test('is not replaced where that could pass what may be spent', async () => {
    const probe = await scene.stage.open()
    await mint(probe, 'probe')
    await probe.close()
    const { spentToday } = await probe.wallet()
    const ledger = await scene.stage.open({
      stuckAfter: 0,
      limits: { perDay: wei(spentToday * 3n) },
    })
    await mintUnreplaced(ledger, { nth: 2, times: 4n })
    expect((await ledger.wallet()).spentToday).toBeLessThanOrEqual(spentToday * 3n)
    await balanced(scene.stage, ['probe', 'a'])
  })

  test('is cancelled when nothing gets it mined in time, and says so', async () => {
    const ledger = await scene.stage.open({ stuckAfter: 0, cancelAfter: 0 })
    await scene.chain.setAutomine(false)
    const minted = outcomeOf(mint(ledger, 'a', 'key'))
    await until(() => scene.told('signed') === 1)
    await scene.chain.dropTransaction({ hash: await pending() })
    await scene.chain.mine({ blocks: 1 })
    while (scene.told('settled') < 1) await scene.chain.mine({ blocks: 1 })
    const outcome = await minted
    await scene.chain.setAutomine(true)
    if (typeof outcome === 'object') return balanced(scene.stage, ['a'])
    expect(outcome).toBe('transaction/cancelled')
    expect((await mint(ledger, 'a', 'key')).tokenId).toBe(1n)
    await balanced(scene.stage, ['a'])
  })

  test('goes on under the next nonce when another transaction of the wallet has its own', async () => {
    const ledger = await scene.stage.open()
    await mint(ledger, 'first')
    await scene.chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => scene.told('signed') === 2)
    await foreign()
    await scene.chain.setAutomine(true)
    await scene.chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(2n)
    expect(scene.told('lost')).toBe(1)
    expect((await scene.stage.minted()).toSorted()).toEqual(
      [content('first'), content('a')].toSorted(),
    )
  })

  test('is followed on a node that lacks a block it had', async () => {
    let lacking: unknown
    const request = async (call: { readonly method: string; readonly params?: unknown }) => {
      const [number] = Array.isArray(call.params) ? call.params : []
      if (call.method === 'eth_getBlockByNumber' && number === lacking) return null
      return scene.stage.client.request(call as never) as Promise<unknown>
    }
    const ledger = await scene.stage.open({ chain: { request }, reorgDepth: 64 })
    await mint(ledger, 'a')
    lacking = toHex(await scene.stage.client.getBlockNumber())
    await scene.chain.mine({ blocks: 3 })
    await mint(ledger, 'b')
    await balanced(scene.stage, ['a', 'b'])
  })

  for (const depth of [1, 2, 3, 4, 5]) {
    test(`is mined again after a reorganisation of ${depth} blocks`, async () => {
      const ledger = await scene.stage.open({ reorgDepth: 64 })
      const names = Array.from({ length: depth }, (_, index) => index)
      for (const name of names) await mint(ledger, name)
      await scene.chain.reorganise(depth)
      await until(async () => (await scene.stage.minted()).length === depth)
      await until(async () => (await settledSlots()) === depth)
      await balanced(scene.stage, names)
      expect(scene.told('reorganised')).toBeGreaterThan(0)
    })
  }
})

async function settledSlots(): Promise<number> {
  const slots = await scene.stage.store.db.selectFrom('slot').select('state').execute()
  return slots.filter(({ state }) => state === 'settled').length
}

/** Returns what the node holds and has not mined, once it holds it: what is signed may be on its way. */
async function pending(): Promise<Hex> {
  let hash: Hex | undefined
  await until(async () => {
    const { transactions } = await scene.stage.client.getBlock({ blockTag: 'pending' })
    hash = transactions[0]
    return hash !== undefined
  })
  return hash as Hex
}

type Outbid = { readonly nth: number; readonly times: bigint }

/**
 * Makes the wallet's nth write while a block costs so many times what it pays, sees that it is not
 * replaced, and lets it be mined.
 */
async function mintUnreplaced(ledger: Parameters<typeof mint>[0], { nth, times }: Outbid) {
  await scene.chain.setAutomine(false)
  const minted = mint(ledger, 'a')
  await until(() => scene.told('signed') === nth)
  const hash = await pending()
  const { maxFeePerGas = 0n } = await scene.stage.client.getTransaction({ hash })
  await scene.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas * times })
  await scene.chain.mine({ blocks: 1 })
  await until(() => scene.told('resent') > 1)
  expect(scene.told('replaced')).toBe(0)
  await scene.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas / 2n })
  while (scene.told('settled') < nth) await scene.chain.mine({ blocks: 1 })
  return minted
}

/** Sends a transfer of the wallet in place of what it has pending, and pays far more for it. */
async function foreign(): Promise<void> {
  const { client, wallet } = scene.stage
  const { address } = wallet
  const nonce = await client.getTransactionCount({ address })
  const fees = await client.estimateFeesPerGas()
  const serializedTransaction = await wallet.signTransaction({
    ...{ type: 'eip1559', chainId: 31337, to: address, nonce, gas: 21_000n },
    maxFeePerGas: fees.maxFeePerGas * 20n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas * 20n,
  })
  await client.sendRawTransaction({ serializedTransaction })
}
