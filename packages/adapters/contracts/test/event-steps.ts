import fc from 'fast-check'
import { type Abi, type Address, maxUint256, zeroAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { word } from './acts.ts'
import { type ContractHarness, party } from './contract-harness.ts'
import { act, type Order, ordersOn, unsigned } from './orders.ts'
import { type Receiver, send } from './receivers.ts'

const verbs = [
  ...['mint', 'mintDescribed', 'list', 'list', 'listInDollars', 'listInDollars', 'transferFrom'],
  ...['buy', 'rent', 'fork', 'payRoyalty', 'withdraw', 'withdrawDollars', 'blockAccount'],
  ...['payOrder', 'payOrder', 'payOrder', 'settle', 'settle', 'refund', 'refundNative'],
  ...['nameHeir', 'heartbeat', 'inherit'],
] as const

/** Any step of a story; its numbers choose among the tokens and accounts that exist. */
export const anyStep = fc.record({
  verb: fc.constantFrom(...verbs),
  actor: fc.nat(3),
  other: fc.nat(3),
  pick: fc.nat(1_000),
  act: fc.constantFrom(act.buy, act.buy, act.rent, act.fork, act.royalty),
  price: fc.bigInt(0n, 20_000n),
  royaltyBps: fc.constantFrom(0n, 333n, 5_000n, 10_000n),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** A chain on which steps are performed, by three accounts and a contract that refuses payments. */
export type Stage = {
  readonly harness: ContractHarness
  readonly accounts: readonly [PrivateKeyAccount, PrivateKeyAccount, PrivateKeyAccount]
  readonly refusing: Receiver
  /** Every order that a step made. */
  readonly orders: Order[]
}

/** Returns the card of a token, unique to it, which these tests also use as its content hash. */
export const cardOf = (tokenId: bigint) => word(1_000_000 + Number(tokenId))

const day = 86_400n

/** Performs a step; many are refused. */
export async function perform(stage: Stage, step: Step): Promise<void> {
  if (step.verb === 'payOrder' || step.verb === 'settle') return pay(stage, step)
  if (step.verb === 'refund' || step.verb === 'refundNative') return refund(stage, step)
  if (step.verb === 'inherit') return inherit(stage, step)
  await performCall(stage, step)
}

const actorsOf = ({ accounts, refusing }: Stage) => [...accounts, refusing]

async function performCall(stage: Stage, step: Step): Promise<void> {
  const { marketplace, registry, dollar } = stage.harness
  const actor = pickFrom(actorsOf(stage), step.actor)
  const other = pickFrom(actorsOf(stage), step.other).address
  const supply = await registry.read.totalSupply()
  const tokenId = tokenOf(step, supply)
  const [, price, rentPerDay, forkPrice] = await marketplace.read.listingOf([tokenId])
  const owner = await registry.read.ownerOf([tokenId])
  const holder = actorsOf(stage).find(({ address }) => address === owner) ?? actor
  const { price: terms, royaltyBps } = step
  const item = {
    recipient: other,
    parent: tokenId,
    contentHash: cardOf(supply + 1n),
    digest: word(step.pick),
  }
  const prices = [tokenId, terms, terms / 3n, terms / 2n, royaltyBps]
  const heir = other === actor.address ? zeroAddress : other
  const days = heir === zeroAddress ? 0n : 30n + BigInt(step.pick)
  const calls: Readonly<Record<string, readonly [From, At, readonly unknown[], bigint]>> = {
    mintDescribed: [actor, registry, [[item], [item.contentHash]], 0n],
    mint: [actor, registry, [other, word(step.pick + 1), word(step.pick), tokenId], 0n],
    list: [holder, marketplace, prices, 0n],
    listInDollars: [holder, marketplace, prices, 0n],
    transferFrom: [holder, registry, [owner, other, tokenId], 0n],
    buy: [actor, marketplace, [tokenId, other], price],
    rent: [actor, marketplace, [tokenId, other, 2n], rentPerDay * 2n],
    fork: [actor, marketplace, [tokenId, other, 10_000n], forkPrice],
    payRoyalty: [actor, marketplace, [tokenId], terms],
    withdraw: [actor, marketplace, [party(5).address], 0n],
    withdrawDollars: [actor, marketplace, [party(5).address], 0n],
    nameHeir: [actor, registry, [heir, days, days], 0n],
    heartbeat: [actor, registry, [], 0n],
    blockAccount: [actor, { ...dollar, abi: awkwardAbi }, [other, step.pick % 2 === 0], 0n],
  }
  const [from, { address, abi }, args, value] = pickFrom([calls[step.verb]], 0)
  await send(stage.harness, from, { address, abi, functionName: step.verb, args, value })
}

type From = Parameters<typeof send>[1]
type At = { readonly address: Address; readonly abi: Abi }

const awkwardAbi: Abi = [
  {
    type: 'function',
    name: 'blockAccount',
    stateMutability: 'nonpayable',
    outputs: [],
    inputs: [
      { name: 'account', type: 'address' },
      { name: 'blocked', type: 'bool' },
    ],
  },
]

const tokenOf = ({ pick }: Step, supply: bigint) => (BigInt(pick) % supply) + 1n

/** Pays a new order on the present terms, or too much or too little for them. */
async function pay(stage: Stage, step: Step): Promise<void> {
  const { harness, accounts, orders } = stage
  const { marketplace, registry } = harness
  const on = ordersOn(harness)
  const tokenId = tokenOf(step, await registry.read.totalSupply())
  const [, price, rentPerDay, forkPrice] = await marketplace.read.listingOf([tokenId])
  const prices = [price, rentPerDay * 2n, forkPrice, step.price]
  const payer = pickFrom(accounts, step.actor % 3)
  const order: Order = {
    ...on.order({ tokenId, recipient: pickFrom(actorsOf(stage), step.other).address }),
    act: step.act,
    price: pickFrom(prices, step.act),
    numberOfDays: 2n,
    maxRoyaltyBps: 10_000n,
    refundTo: payer.address,
    deadline: maxUint256,
    salt: word(orders.length + 1),
  }
  orders.push(order)
  const call = { address: marketplace.address, abi: marketplace.abi, functionName: step.verb }
  if (step.verb === 'payOrder') {
    await send(harness, payer, { ...call, args: await on.payment(payer, order) })
    return
  }
  const paid = order.price + BigInt(step.pick % 3) - (step.pick % 7 === 0 ? 1n : 0n)
  await deposit(stage, payer, { order, amount: paid < 0n ? 0n : paid })
  await send(harness, payer, { ...call, args: [order, unsigned] })
}

type Deposit = { readonly order: Order; readonly amount: bigint }

async function deposit({ harness }: Stage, from: From, { order, amount }: Deposit): Promise<void> {
  const to = await ordersOn(harness).depositOf(order)
  const { address, abi } = harness.dollar
  await send(harness, from, { address, abi, functionName: 'transfer', args: [to, amount] })
}

/** Refunds an earlier order in dollars, or in native money that was sent to it by mistake. */
async function refund(stage: Stage, step: Step): Promise<void> {
  const { harness, accounts, orders } = stage
  const order = orders[step.pick % Math.max(1, orders.length)]
  if (order === undefined) return
  const { address, abi } = harness.marketplace
  const caller = pickFrom(accounts, step.actor % 3)
  const isNative = step.verb === 'refundNative'
  if (isNative) {
    const to = await ordersOn(harness).depositOf(order)
    // An address that has code already refuses it.
    await harness.client.sendTransaction({ account: caller, to, value: 9n, gas: 100_000n })
  } else if (step.pick % 2 === 0) await deposit(stage, caller, { order, amount: 5n })
  const args = [order, isNative ? zeroAddress : harness.dollar.address]
  await send(harness, caller, { address, abi, functionName: 'refund', args })
}

/** Lets an account name an heir and fall silent, until the heir takes over what there is. */
async function inherit(stage: Stage, step: Step): Promise<void> {
  const { harness, accounts, refusing } = stage
  const { registry, marketplace, client } = harness
  const account = step.actor === step.other % 3 ? refusing : pickFrom(actorsOf(stage), step.actor)
  const heir = pickFrom(accounts, step.other % 3)
  const onRegistry = { address: registry.address, abi: registry.abi }
  const wait = async () => harness.mineAt((await client.getBlock()).timestamp + 30n * day)
  const plan = [heir.address, 30n, 30n]
  await send(harness, account, { ...onRegistry, functionName: 'nameHeir', args: plan })
  await wait()
  const announce = { functionName: 'announceTakeover', args: [account.address] }
  await send(harness, heir, { ...onRegistry, ...announce })
  await wait()
  const owned: bigint[] = []
  for (let id = await registry.read.totalSupply(); id > 0n; id -= 1n)
    if ((await registry.read.ownerOf([id])) === account.address) owned.push(id)
  const takeOver = { functionName: 'takeOver', args: [account.address, owned] }
  await send(harness, heir, { ...onRegistry, ...takeOver })
  const credit = { functionName: 'takeOverCredit', args: [account.address] }
  await send(harness, heir, { address: marketplace.address, abi: marketplace.abi, ...credit })
}

function pickFrom<item>(items: readonly (item | undefined)[], index: number): item {
  const item = items[index]
  if (item === undefined) throw new Error(`There is no item ${index}.`)
  return item
}
