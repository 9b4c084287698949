import { encodeFunctionData, type Hex, toFunctionSelector, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../src/ledger/contracts.generated.ts'
import { actsOn, everyOffer, marketEvents, word } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { type Receiver, receiver, send } from './receivers.ts'
import { refusalOf } from './refusal.ts'

const [creator, buyer, friend] = [party(1), party(2), party(3)]
const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>

beforeAll(async () => {
  harness = await openContractHarness()
  acts = actsOn(harness)
})

const balanceOf = (account: { readonly address: Hex }) => harness.client.getBalance(account)
const creditOf = ({ address }: { readonly address: Hex }) =>
  harness.marketplace.read.creditOf([address])

function callFrom(caller: Receiver, functionName: string, args: readonly unknown[]): Promise<Hex> {
  const { address, abi } = functionName === 'mint' ? harness.registry : harness.marketplace
  return send(harness, caller, { address, abi, functionName, args })
}

/** Mints a token of a receiver and lists it for sale, for rent and for fork. */
async function mintAndList(caller: Receiver): Promise<bigint> {
  await harness.mined(callFrom(caller, 'mint', [caller.address, word(7), word(8), 0n]))
  const tokenId = await harness.registry.read.totalSupply()
  await harness.mined(callFrom(caller, 'list', [tokenId, price, rentPerDay, forkPrice, royaltyBps]))
  return tokenId
}

describe('a receiver that cannot be paid', () => {
  const kinds = ['RefusingReceiver', 'HungryReceiver', 'BombingReceiver', 'Actor'] as const

  test.for(kinds)('is credited, and the sale goes on: %s', async (kind) => {
    const seller = await receiver(harness, kind)
    const tokenId = await mintAndList(seller)
    const receipt = await acts.buy(buyer, tokenId)
    expect(await harness.registry.read.ownerOf([tokenId])).toBe(buyer.address)
    expect(await creditOf(seller)).toBe(price)
    expect(marketEvents(receipt, 'Credited')).toEqual([{ to: seller.address, amount: price }])
    expect(receipt.gasUsed).toBeLessThan(230_000n)
  })

  test('does not stop the payment of the others', async () => {
    const [maker, forker] = [
      await receiver(harness, 'RefusingReceiver'),
      await receiver(harness, 'HungryReceiver'),
    ]
    const root = await mintAndList(maker)
    const fork = {
      ...harness.marketplace,
      functionName: 'fork',
      args: [root, forker.address, royaltyBps],
    }
    await harness.mined(send(harness, forker, { ...fork, value: forkPrice }))
    const child = await harness.registry.read.totalSupply()
    const credit = await creditOf(maker)
    await harness.mined(callFrom(forker, 'list', [child, price, 0n, forkPrice, royaltyBps]))
    const grandchild = await acts.fork(creator, child)
    await acts.list(creator, grandchild)
    const before = await balanceOf(creator)
    await acts.buy(buyer, grandchild)
    expect((await balanceOf(creator)) - before).toBe(900n)
    expect(await creditOf(forker)).toBe(95n + 50n)
    expect((await creditOf(maker)) - credit).toBe(5n + 50n)
  })

  test('withdraws later, to any account, and only once', async () => {
    const seller = await receiver(harness, 'RefusingReceiver')
    await acts.buy(buyer, await mintAndList(seller))
    const before = await balanceOf(friend)
    const receipt = await harness.mined(callFrom(seller, 'withdraw', [friend.address]))
    expect((await balanceOf(friend)) - before).toBe(price)
    expect(marketEvents(receipt, 'Withdrawn')).toEqual([
      { account: seller.address, to: friend.address, amount: price },
    ])
    const again = harness.marketplace.simulate.withdraw([friend.address], {
      account: seller.address,
    })
    expect(await refusalOf(again)).toEqual({ name: 'CreditEmpty', facts: [seller.address] })
  })

  test('keeps its credit when the withdrawal is refused too', async () => {
    const seller = await receiver(harness, 'RefusingReceiver')
    await acts.buy(buyer, await mintAndList(seller))
    const { registry, marketplace } = harness
    for (const to of [seller.address, zeroAddress, registry.address, marketplace.address]) {
      const attempt = marketplace.simulate.withdraw([to], { account: seller.address })
      expect(await refusalOf(attempt)).toEqual({ name: 'RecipientInvalid', facts: [to] })
    }
    expect(await creditOf(seller)).toBe(price)
    await harness.mined(
      harness.client.writeContract({ ...seller, functionName: 'relent', account: buyer }),
    )
    await harness.mined(callFrom(seller, 'withdraw', [seller.address]))
    expect(await balanceOf(seller)).toBe(price)
  })
})

test.for([
  ['an honest wallet', 'WalletReceiver', []],
  ['a wallet that checks its gas', 'ChoosyReceiver', [95_000n]],
] as const)('no gas limit makes a payment to %s a credit', async ([, name, args]) => {
  const wallet = await receiver(harness, name, args)
  const tokenId = await mintAndList(wallet)
  let paid = 0n
  for (let gas = 26_000n; gas < 260_000n; gas += 1_500n) {
    const payment = { account: buyer, value: 5n, gas }
    const hash = await harness.marketplace.write.payRoyalty([tokenId], payment)
    const { status } = await harness.client.getTransactionReceipt({ hash })
    if (status === 'success') paid += 5n
    expect(await balanceOf(wallet)).toBe(paid)
    expect(await creditOf(wallet)).toBe(0n)
  }
  expect(paid).toBeGreaterThan(0n)
})

test('an act with less gas than a payment needs says how much', async () => {
  const tokenId = await mintAndList(await receiver(harness, 'WalletReceiver'))
  const payment = { account: buyer, value: 5n, gas: 120_000n }
  const attempt = harness.marketplace.simulate.payRoyalty([tokenId], payment)
  const { name, facts } = await refusalOf(attempt)
  expect([name, facts[1]]).toEqual(['GasTooLow', 140_000n])
  expect(facts[0]).toBeLessThan(120_000n)
})

describe('a receiver that calls back', () => {
  const reentered = toFunctionSelector('Reentered()')
  const plan = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: memoryMarketplaceAbi as never, functionName, args } as never)

  async function prepareThief(
    callback: Hex,
  ): Promise<{ readonly thief: Receiver; readonly tokenId: bigint }> {
    const thief = await receiver(harness, 'ReentrantReceiver')
    const tokenId = await mintAndList(thief)
    const prepare = { ...thief, functionName: 'prepare', args: [callback] }
    await harness.mined(harness.client.writeContract({ ...prepare, account: buyer }))
    return { thief, tokenId }
  }

  async function expectLocked(thief: Receiver): Promise<void> {
    const read = (functionName: string) => harness.client.readContract({ ...thief, functionName })
    expect([await read('entered'), await read('answer')]).toEqual([false, reentered])
  }

  test.for([
    ['list', [1n, 1n, 1n, 1n, 1n]],
    ['buy', [1n, buyer.address]],
    ['rent', [1n, buyer.address, 1n]],
    ['fork', [1n, buyer.address, 1n]],
    ['payRoyalty', [1n]],
    ['withdraw', [buyer.address]],
  ] as const)('does not get into %s', async ([functionName, args]) => {
    const { thief, tokenId } = await prepareThief(plan(functionName, args))
    await harness.mined(
      harness.marketplace.write.payRoyalty([tokenId], { account: buyer, value: 9n }),
    )
    await expectLocked(thief)
    expect(await balanceOf(thief)).toBe(9n)
  })

  test.for(['buy', 'rent', 'fork'] as const)('cannot re-enter during %s', async (verb) => {
    const { thief, tokenId } = await prepareThief(plan('withdraw', [buyer.address]))
    if (verb === 'rent') await acts.rent(buyer, tokenId, 1n)
    else await acts[verb](buyer, tokenId)
    await expectLocked(thief)
  })

  test('cannot re-enter during withdraw', async () => {
    const { thief } = await prepareThief(plan('withdraw', [buyer.address]))
    const accomplice = await receiver(harness, 'RefusingReceiver')
    await acts.buy(buyer, await mintAndList(accomplice))
    await harness.mined(callFrom(accomplice, 'withdraw', [thief.address]))
    await expectLocked(thief)
    expect(await balanceOf(thief)).toBe(price)
  })

  test('may use the market again later in the same transaction', async () => {
    const caller = await receiver(harness, 'WalletReceiver')
    const tokenId = await mintAndList(caller)
    const data = plan('payRoyalty', [tokenId])
    const args = [harness.marketplace.address, 4n, data]
    const call = { ...caller, functionName: 'actTwice', args, value: 8n }
    await harness.mined(harness.client.writeContract({ ...call, account: buyer }))
    expect(await balanceOf(caller)).toBe(8n)
  })

  test('may use the market in the next transaction', async () => {
    const { tokenId } = await prepareThief('0x')
    await acts.buy(buyer, tokenId)
    await acts.list(buyer, tokenId)
    expect((await harness.marketplace.read.listingOf([tokenId]))[0]).toBe(buyer.address)
  })
})

test('neither contract accepts a payment outside its payable functions', async () => {
  for (const { address } of [harness.marketplace, harness.registry]) {
    for (const data of ['0x', '0xdeadbeef'] as const) {
      const hash = await harness.client.sendTransaction({
        account: buyer,
        to: address,
        value: 1n,
        data,
        gas: 100_000n,
      })
      expect((await harness.client.getTransactionReceipt({ hash })).status).toBe('reverted')
    }
  }
})

test('the marketplace holds nothing but the credits', async () => {
  const { client, marketplace } = harness
  const logs = await client.getContractEvents({
    ...marketplace,
    eventName: 'Credited',
    fromBlock: 0n,
  })
  const accounts = new Set(logs.map(({ args }) => args.to ?? zeroAddress))
  const credits = await Promise.all([...accounts].map((address) => creditOf({ address })))
  expect(await balanceOf(marketplace)).toBe(credits.reduce((sum, credit) => sum + credit, 0n))
  expect(await balanceOf(harness.registry)).toBe(0n)
})
