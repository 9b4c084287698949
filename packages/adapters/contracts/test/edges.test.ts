import {
  type Address,
  type Hex,
  maxUint256,
  pad,
  parseEventLogs,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { compileSolidity } from '../solidity.ts'
import { everyOffer, marketEvents, word } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { act, ordersOn, unsigned } from './orders.ts'
import { type Receiver, receiver, send } from './receivers.ts'
import { refusalOf } from './refusal.ts'
import { requestsOn } from './requests.ts'

const [creator, payer, friend, stranger] = [party(1), party(2), party(3), party(4)]
const { rentPerDay } = everyOffer
const day = 86_400n

const awkward = compileSolidity(['test/dollars/AwkwardDollar.sol']).AwkwardDollar

let harness: ContractHarness
let orders: ReturnType<typeof ordersOn>

beforeAll(async () => {
  harness = await openContractHarness(awkward)
  orders = ordersOn(harness)
  await orders.give(payer.address, 1_000_000n)
})

const now = async () => (await harness.client.getBlock()).timestamp
const wait = async (time: bigint) => harness.mineAt((await now()) + time)

describe('an order', () => {
  test('is not refunded by a stranger at its deadline, when it is still open', async () => {
    const tokenId = await orders.listed(creator)
    const deadline = (await now()) + 1_000n
    const order = orders.order({ tokenId, recipient: friend.address, deadline })
    await orders.deposit(payer, order)
    const args = [order, harness.dollar.address] as const
    const { simulate } = harness.marketplace
    await harness.mineAt(deadline)
    const early = simulate.refund(args, { account: stranger })
    expect((await refusalOf(early)).name).toBe('OrderRefundTooEarly')
    await harness.mineAt(deadline + 1n)
    await simulate.refund(args, { account: stranger })
  })

  test('in another asset is refused with both assets', async () => {
    const tokenId = await orders.listed(creator)
    const order = orders.order({ tokenId, recipient: friend.address, asset: friend.address })
    const attempt = harness.marketplace.simulate.settle([order, unsigned], { account: payer })
    expect(await refusalOf(attempt)).toEqual({
      name: 'OrderAssetInvalid',
      facts: [friend.address, harness.dollar.address],
    })
  })

  test('for more days than a number of seconds can be is not open', async () => {
    const tokenId = await orders.listed(creator)
    const rental = { act: act.rent, price: rentPerDay, numberOfDays: maxUint256 } as const
    const order = orders.order({ tokenId, recipient: friend.address, ...rental })
    expect(await harness.marketplace.read.isOpen([order])).toBe(false)
  })
})

test.for([
  [64, '0x88b7ab63'],
  [65, '0xef55bec6'],
  [66, '0x88b7ab63'],
] as const)('a signature of %i bytes is passed to %s of the dollar', async ([size, selector]) => {
  const noting = compileSolidity(['test/dollars/NotingDollar.sol']).NotingDollar
  if (!noting) throw new Error('There is no such dollar.')
  const own = await openContractHarness(noting)
  const { listed, order: orderOf } = ordersOn(own)
  const order = orderOf({ tokenId: await listed(creator), recipient: friend.address })
  const args = [order, payer.address, 0n, maxUint256, pad('0x1b', { size })] as const
  await own.mined(own.marketplace.write.payOrder(args, { account: payer }))
  const { address } = own.dollar
  const noted = own.client.readContract({ address, abi: noting.abi, functionName: 'noted' })
  expect(await noted).toBe(selector)
})

test('a sign of life in the block of the announcement ends the takeover', async () => {
  const { read, simulate, write } = harness.registry
  const [account, heir] = [party(5), party(6)]
  await harness.mined(write.nameHeir([heir.address, 30n, 30n], { account }))
  await wait(31n * day)
  await harness.mined(write.announceTakeover([account.address], { account: heir }))
  const announcedAt = await now()
  // Two blocks of one time are, for the contracts, one block.
  await harness.dateNextBlock(announcedAt)
  await harness.mined(write.heartbeat({ account, gas: 100_000n }))
  expect(await read.heirOf([account.address])).toEqual([heir.address, 30n, 30n, announcedAt, 0n])
  await wait(31n * day)
  const successor = read.successorOf([account.address])
  expect((await refusalOf(successor)).name).toBe('TakeoverNotAnnounced')
  await simulate.announceTakeover([account.address], { account: heir })
})

describe('an heir that has credits of its own', () => {
  const onRegistry = (functionName: string, args: readonly unknown[]) => {
    const { address, abi } = harness.registry
    return { address, abi, functionName, args }
  }
  const onMarket = (functionName: string, args: readonly unknown[]) => {
    const { address, abi } = harness.marketplace
    return { address, abi, functionName, args }
  }
  const block = (account: Address, isBlocked: boolean) =>
    harness.mined(
      harness.client.writeContract({
        address: harness.dollar.address,
        abi: awkward?.abi ?? [],
        functionName: 'blockAccount',
        args: [account, isBlocked],
        account: creator,
      }),
    )

  /** Credits an account that takes no money, in both currencies. */
  async function credit(wallet: Receiver, coins: bigint, dollars: bigint): Promise<void> {
    const mint = onRegistry('mint', [wallet.address, word(7), word(8), 0n])
    await harness.mined(send(harness, wallet, mint))
    const tokenId = await harness.registry.read.totalSupply()
    const pay = { account: stranger, value: coins }
    await harness.mined(harness.marketplace.write.payRoyalty([tokenId], pay))
    await block(wallet.address, true)
    const royalty = { act: act.royalty, recipient: zeroAddress, price: dollars } as const
    const order = orders.order({ tokenId, ...royalty })
    await orders.deposit(payer, order)
    await harness.mined(harness.marketplace.write.settle([order, unsigned], { account: stranger }))
  }

  test('adds those that it takes over, and withdraws all of them', async () => {
    const account = await receiver(harness, 'RefusingReceiver')
    const heir = await receiver(harness, 'RefusingReceiver')
    await credit(account, 77n, 30n)
    await credit(heir, 5n, 4n)
    const plan = onRegistry('nameHeir', [heir.address, 30n, 30n])
    await harness.mined(send(harness, account, plan))
    await wait(30n * day)
    await harness.mined(send(harness, heir, onRegistry('announceTakeover', [account.address])))
    await wait(30n * day)
    const takeOver = onMarket('takeOverCredit', [account.address])
    const receipt = await harness.mined(send(harness, heir, takeOver))
    expect(marketEvents(receipt, 'CreditTakenOver')).toEqual([
      { account: account.address, heir: heir.address, amount: 77n, dollars: 30n },
    ])
    const { creditOf, dollarCreditOf } = harness.marketplace.read
    const left = [account, heir].flatMap(({ address }) => [
      creditOf([address]),
      dollarCreditOf([address]),
    ])
    expect(await Promise.all(left)).toEqual([0n, 0n, 82n, 34n])
    await block(heir.address, false)
    const out = await harness.mined(
      send(harness, heir, onMarket('withdrawDollars', [friend.address])),
    )
    const asset = harness.dollar.address
    expect(marketEvents(out, 'DollarsWithdrawn')).toEqual([
      { account: heir.address, to: friend.address, asset, amount: 34n },
    ])
  })
})

// push4 selector push1 224 shl push0 mstore push1 32 push0 return: recognises every signature (ERC-1271)
const recogniseAll = '0x631626ba7e60e01b5f5260205ff3'

test('a relayed call of 20 bytes is from the account that they are', async () => {
  // The forwarder appends the account to the calldata, here to none: its address begins with the selector.
  const from = pad(toFunctionSelector('heartbeat()'), { dir: 'right', size: 20 }) as Hex
  const { client, forwarder, mined, registry } = harness
  const code = { method: 'hardhat_setCode', params: [from, recogniseAll] }
  await client.request(code as never)
  const signed = await requestsOn(harness)(stranger, registry.address, '0x', { from })
  const { logs } = await mined(forwarder.write.execute([signed], { account: stranger }))
  const signs = parseEventLogs({ abi: memoryRegistryAbi, logs, eventName: 'Heartbeat' })
  expect(signs.map(({ args }) => args.account.toLowerCase())).toEqual([from])
})
