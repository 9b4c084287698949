import { type Address, concatHex, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { compileSolidity } from '../solidity.ts'
import { actsOn, everyOffer, word } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { ordersOn } from './orders.ts'
import { receiver, send } from './receivers.ts'
import { refusalOf, refusalsOf } from './refusal.ts'
import { type ForwardRequest, requestsOn } from './requests.ts'

const [signer, relayer, stranger, friend] = [party(1), party(2), party(3), party(4)]
const wallets = compileSolidity(
  ['ContractWallet', 'Bombs'].map((name) => `test/wallets/${name}.sol`),
)
const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer
const prices = [price, rentPerDay, forkPrice, royaltyBps] as const

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>
let request: ReturnType<typeof requestsOn>

beforeAll(async () => {
  harness = await openContractHarness()
  ;[acts, request] = [actsOn(harness), requestsOn(harness)]
})

const onRegistry = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: memoryRegistryAbi, functionName, args } as never)
const onMarket = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: memoryMarketplaceAbi, functionName, args } as never)
// Not estimated: in another second than the estimate's, a sign of life writes another time and costs more.
const gas = 3_000_000n
const execute = (signed: ForwardRequest, value = 0n) =>
  harness.mined(harness.forwarder.write.execute([signed], { account: relayer, value, gas }))
const refuse = (signed: ForwardRequest) =>
  refusalOf(harness.forwarder.simulate.execute([signed], { account: relayer }))
const relay = async (to: Address, data: Hex) => execute(await request(signer, to, data))
const mintTo = (to: Address) => onRegistry('mint', [to, word(7), word(8), 0n])

describe('a relayed call acts for the account that signed it', () => {
  test('to mint, list, withdraw and transfer', async () => {
    const { registry, marketplace } = harness
    await relay(registry.address, mintTo(signer.address))
    const tokenId = await registry.read.totalSupply()
    expect(await registry.read.creatorOf([tokenId])).toBe(signer.address)
    await relay(marketplace.address, onMarket('list', [tokenId, ...prices]))
    expect((await marketplace.read.listingOf([tokenId]))[0]).toBe(signer.address)
    await relay(marketplace.address, onMarket('listInDollars', [tokenId, ...prices]))
    expect((await marketplace.read.listingOf([tokenId]))[8]).toBe(harness.dollar.address)
    await relay(
      registry.address,
      onRegistry('transferFrom', [signer.address, friend.address, tokenId]),
    )
    expect(await registry.read.ownerOf([tokenId])).toBe(friend.address)
    const nothing = await request(
      signer,
      marketplace.address,
      onMarket('withdraw', [friend.address]),
    )
    expect((await refuse(nothing)).name).toBe('FailedCall')
  })

  test('to name an heir, give a sign of life, announce and take over', async () => {
    const { registry } = harness
    const tokenId = await acts.mint(signer)
    const plan = onRegistry('nameHeir', [friend.address, 30n, 30n])
    await relay(registry.address, plan)
    await relay(registry.address, onRegistry('heartbeat', []))
    const { timestamp } = await harness.client.getBlock()
    expect((await registry.read.heirOf([signer.address])).slice(0, 4)).toEqual([
      friend.address,
      30n,
      30n,
      timestamp,
    ])
    const byHeir = async (data: Hex) => execute(await request(friend, registry.address, data))
    await harness.mineAt(timestamp + 30n * 86_400n)
    await byHeir(onRegistry('announceTakeover', [signer.address]))
    await harness.mineAt(timestamp + 61n * 86_400n)
    await byHeir(onRegistry('takeOver', [signer.address, [tokenId]]))
    expect(await registry.read.ownerOf([tokenId])).toBe(friend.address)
    await relay(registry.address, onRegistry('nameHeir', [zeroAddress, 0n, 0n]))
  })

  test('to buy, rent and fork with money of the relayer', async () => {
    const { marketplace, registry } = harness
    const tokenId = await acts.mint(friend)
    await acts.list(friend, tokenId)
    const pay = async (value: bigint, data: Hex) =>
      execute(await request(signer, marketplace.address, data, { value }), value)
    await pay(rentPerDay, onMarket('rent', [tokenId, signer.address, 1n]))
    expect(await marketplace.read.rentalExpiry([tokenId, signer.address])).toBeGreaterThan(0n)
    await pay(forkPrice, onMarket('fork', [tokenId, signer.address, 10_000n]))
    expect(await registry.read.creatorOf([await registry.read.totalSupply()])).toBe(signer.address)
    await pay(price, onMarket('buy', [tokenId, signer.address]))
    expect(await registry.read.ownerOf([tokenId])).toBe(signer.address)
  })

  test('to withdraw dollars and to get a refund', async () => {
    const orders = ordersOn(harness)
    const tokenId = await orders.listed(friend)
    const order = orders.order({ tokenId, recipient: signer.address })
    await orders.give(relayer.address, price)
    await orders.deposit(relayer, order)
    const before = await orders.dollarsOf(signer)
    await relay(harness.marketplace.address, onMarket('refund', [order, harness.dollar.address]))
    expect((await orders.dollarsOf(signer)) - before).toBe(price)
  })
})

describe('a phished signature', () => {
  test('for all tokens has no effect for its signer', async () => {
    const { registry } = harness
    const tokenId = await acts.mint(signer)
    await relay(registry.address, onRegistry('setApprovalForAll', [stranger.address, true]))
    expect(await registry.read.isApprovedForAll([signer.address, stranger.address])).toBe(false)
    const take = registry.simulate.transferFrom([signer.address, stranger.address, tokenId], {
      account: stranger,
    })
    expect((await refusalOf(take)).name).toBe('ERC721InsufficientApproval')
  })

  test('for a list of tokens offers none of them', async () => {
    const tokenId = await acts.mint(signer)
    const data = onMarket('listMany', [[{ tokenId, ...everyOffer, inDollars: false }]])
    const refused = await refuse(await request(signer, harness.marketplace.address, data))
    expect(refused.name).toBe('FailedCall')
    expect((await harness.marketplace.read.listingOf([tokenId]))[0]).toBe(zeroAddress)
  })

  test('for one token has none either', async () => {
    const tokenId = await acts.mint(signer)
    const data = onRegistry('approve', [stranger.address, tokenId])
    expect((await refuse(await request(signer, harness.registry.address, data))).name).toBe(
      'FailedCall',
    )
    expect(await harness.registry.read.getApproved([tokenId])).toBe(zeroAddress)
  })
})

describe('a request is refused', () => {
  const heartbeat = onRegistry('heartbeat', [])

  test('a second time, by another nonce, and for another signer', async () => {
    const to = harness.registry.address
    const signed = await request(signer, to, heartbeat)
    await execute(signed)
    expect((await refuse(signed)).name).toBe('ERC2771ForwarderInvalidSigner')
    const ahead = (await harness.forwarder.read.nonces([signer.address])) + 1n
    const wrong = [
      await request(signer, to, heartbeat, { nonce: ahead }),
      await request(stranger, to, heartbeat, { from: signer.address }),
      await request(signer, to, heartbeat, { signature: '0x' }),
    ]
    for (const one of wrong) {
      expect((await refuse(one)).name).toBe('ERC2771ForwarderInvalidSigner')
    }
  })

  test('with anything in it changed', async () => {
    const signed = await request(signer, harness.registry.address, heartbeat)
    const changes = [
      { to: harness.marketplace.address },
      { gas: 2_000_000n },
      { deadline: signed.deadline + 1 },
      { data: mintTo(stranger.address) },
      { from: stranger.address },
    ]
    for (const change of changes) {
      expect((await refuse({ ...signed, ...change })).name).toBe('ERC2771ForwarderInvalidSigner')
    }
    const worth = harness.forwarder.simulate.execute([{ ...signed, value: 1n }], {
      account: relayer,
      value: 1n,
    })
    expect((await refusalOf(worth)).name).toBe('ERC2771ForwarderInvalidSigner')
    expect(await harness.forwarder.read.verify([signed])).toBe(true)
  })

  test('of another chain or forwarder', async () => {
    for (const domain of [{ chainId: 1 }, { forwarder: harness.registry.address }]) {
      const signed = await request(signer, harness.registry.address, heartbeat, domain)
      expect((await refuse(signed)).name).toBe('ERC2771ForwarderInvalidSigner')
    }
  })

  test('after its deadline, and for contracts that do not trust the forwarder', async () => {
    const late = await request(signer, harness.registry.address, heartbeat, { deadline: 1 })
    expect((await refuse(late)).name).toBe('ERC2771ForwarderExpiredRequest')
    for (const to of [harness.dollar.address, harness.forwarder.address, stranger.address]) {
      const foreign = await request(signer, to, heartbeat)
      expect((await refuse(foreign)).name).toBe('ERC2771UntrustfulTarget')
    }
  })

  test('in a batch with too little gas for its call, and may be sent again', async () => {
    const { registry, forwarder, client } = harness
    const changes = { gas: 200_000n }
    const signed = await request(signer, registry.address, mintTo(signer.address), changes)
    const before = await registry.read.totalSupply()
    const nonce = await forwarder.read.nonces([signer.address])
    for (let gas = 50_000n; gas < 400_000n; gas += 5_000n) {
      const args = [[signed], relayer.address] as const
      const hash = await forwarder.write.executeBatch(args, { account: relayer, gas })
      await client.getTransactionReceipt({ hash })
      const used = (await forwarder.read.nonces([signer.address])) - nonce
      expect((await registry.read.totalSupply()) - before).toBe(used)
    }
    expect(await forwarder.read.nonces([signer.address])).toBe(nonce + 1n)
  })
})

describe('nobody acts for another', () => {
  test('by appending an address to a call of its own', async () => {
    const { registry, client, mined } = harness
    const data = concatHex([mintTo(stranger.address), signer.address])
    await mined(client.sendTransaction({ account: stranger, to: registry.address, data }))
    expect(await registry.read.creatorOf([await registry.read.totalSupply()])).toBe(
      stranger.address,
    )
  })

  test('by a request without arguments, which the address of the signer would fill', async () => {
    for (const data of ['0x', '0x3defb9', '0x3defb962'] as const) {
      const signed = await request(signer, harness.registry.address, data)
      const hash = await harness.forwarder.write.execute([signed], {
        account: relayer,
        gas: 2_000_000n,
      })
      const { logs } = await harness.client.getTransactionReceipt({ hash })
      const named = logs.filter(({ address }) => address !== harness.forwarder.address)
      for (const { topics } of named)
        expect(topics[1]).toContain(signer.address.slice(2).toLowerCase())
    }
  })

  test('as the marketplace', async () => {
    const tokenId = await acts.mint(friend)
    const calls = [
      onRegistry('transferOnSale', [tokenId, signer.address]),
      onRegistry('fork', [tokenId, signer.address, signer.address, 0n]),
    ]
    for (const data of calls) {
      const signed = await request(signer, harness.registry.address, data)
      expect((await refuse(signed)).name).toBe('FailedCall')
    }
  })
})

describe('the forwarder holds nothing', () => {
  test('no token, rental, refund or withdrawal goes to it', async () => {
    const { registry, marketplace, forwarder } = harness
    const tokenId = await acts.mint(friend)
    await acts.list(friend, tokenId)
    const to = forwarder.address
    const invalid = { name: 'RecipientInvalid', facts: [to] }
    const attempts = [
      registry.simulate.mint([to, word(7), word(8), 0n], { account: friend }),
      marketplace.simulate.buy([tokenId, to], { account: friend, value: price }),
      marketplace.simulate.rent([tokenId, to, 1n], { account: friend, value: rentPerDay }),
      marketplace.simulate.fork([tokenId, to, 10_000n], { account: friend, value: forkPrice }),
      marketplace.simulate.withdraw([to], { account: friend }),
      marketplace.simulate.withdrawDollars([to], { account: friend }),
    ]
    expect(await refusalsOf(attempts)).toEqual(attempts.map(() => invalid))
    const transfer = registry.simulate.transferFrom([friend.address, to, tokenId], {
      account: friend,
    })
    expect(await refusalOf(transfer)).toEqual({ name: 'ERC721InvalidReceiver', facts: [to] })
  })
})

describe('a wallet that is a contract', () => {
  const deployWallet = (name: string, args: readonly unknown[] = []) => {
    const artifact = wallets[name]
    if (!artifact) throw new Error(`There is no ${name}.`)
    return harness.deploy(artifact, args)
  }

  test('acts by what its owner signed (ERC-1271)', async () => {
    const wallet = await deployWallet('ContractWallet', [signer.address])
    const data = mintTo(wallet)
    await execute(await request(signer, harness.registry.address, data, { from: wallet }))
    const { registry } = harness
    expect(await registry.read.creatorOf([await registry.read.totalSupply()])).toBe(wallet)
    const foreign = await request(stranger, registry.address, data, { from: wallet })
    expect((await refuse(foreign)).name).toBe('ERC2771ForwarderInvalidSigner')
  })

  test('may know signatures of any length', async () => {
    const wallet = await deployWallet('FickleWallet')
    for (const signature of ['0x', '0x07', `0x${'07'.repeat(300)}`] as const) {
      const changes = { from: wallet, signature }
      await execute(await request(signer, harness.registry.address, mintTo(wallet), changes))
    }
    expect(await harness.registry.read.balanceOf([wallet])).toBe(3n)
  })

  test.for(['RefusingWallet', 'WordyRefusal'])('that refuses is refused: %s', async (name) => {
    const wallet = await deployWallet(name)
    const changes = { from: wallet }
    const signed = await request(signer, harness.registry.address, mintTo(wallet), changes)
    expect((await refuse(signed)).name).toBe('ERC2771ForwarderInvalidSigner')
  })

  test('without a function for signatures is refused', async () => {
    const { address: from } = await receiver(harness, 'Actor')
    const signed = await request(signer, harness.registry.address, mintTo(from), { from })
    expect((await refuse(signed)).name).toBe('ERC2771ForwarderInvalidSigner')
  })

  test('withdraws its credit through the forwarder', async () => {
    const wallet = await deployWallet('ContractWallet', [signer.address])
    const { registry, marketplace, client } = harness
    const changes = { from: wallet }
    await execute(await request(signer, registry.address, mintTo(wallet), changes))
    const tokenId = await registry.read.totalSupply()
    const pay = { account: relayer, value: 11n }
    await harness.mined(marketplace.write.payRoyalty([tokenId], pay))
    expect(await marketplace.read.creditOf([wallet])).toBe(11n)
    const before = await client.getBalance(friend)
    const data = onMarket('withdraw', [friend.address])
    await execute(await request(signer, marketplace.address, data, changes))
    expect((await client.getBalance(friend)) - before).toBe(11n)
  })
})

describe('an account with delegated code (EIP-7702)', () => {
  test('acts by its key whatever its code says, and by its code', async () => {
    const account = party(9)
    const { client, registry } = harness
    const refusing = wallets.RefusingWallet
    const owned = wallets.ContractWallet
    const endless = wallets.EndlessWallet
    if (!refusing || !owned || !endless) throw new Error('There are no wallets.')
    const delegate = async (contractAddress: Address) => {
      const authorization = await client.signAuthorization({ account, contractAddress })
      const hash = await client.sendTransaction({
        account: relayer,
        to: account.address,
        data: '0x',
        authorizationList: [authorization],
        gas: 200_000n,
      })
      await client.getTransactionReceipt({ hash })
      expect(await client.getCode(account)).toBe(
        `0xef0100${contractAddress.slice(2).toLowerCase()}`,
      )
    }
    const data = mintTo(account.address)
    await delegate(await harness.deploy(refusing))
    await execute(await request(account, registry.address, data))
    expect(await registry.read.creatorOf([await registry.read.totalSupply()])).toBe(account.address)
    const byOther = { from: account.address }
    const foreign = await request(stranger, registry.address, data, byOther)
    expect((await refuse(foreign)).name).toBe('ERC2771ForwarderInvalidSigner')
    await delegate(await harness.deploy(endless))
    const signed = await request(account, registry.address, data)
    const paid = { account: relayer, gas: 2_000_000n }
    await harness.mined(harness.forwarder.write.execute([signed], paid))
    await delegate(await harness.deploy(owned, [stranger.address]))
    await execute(await request(stranger, registry.address, data, byOther))
    expect(await registry.read.balanceOf([account.address])).toBe(3n)
  })
})

test('a batch carries out the valid requests, and leaves the others', async () => {
  const to = harness.registry.address
  const good = await request(signer, to, mintTo(signer.address))
  const bad = await request(friend, to, mintTo(zeroAddress))
  const supply = await harness.registry.read.totalSupply()
  await harness.mined(
    harness.forwarder.write.executeBatch([[good, bad], relayer.address], { account: relayer }),
  )
  expect(await harness.registry.read.totalSupply()).toBe(supply + 1n)
})

test('a contract that trusts the forwarder by itself gets no right here', async () => {
  const abi = parseAbi(['function isTrustedForwarder(address) view returns (bool)'])
  const { address } = harness.registry
  const args = [harness.forwarder.address] as const
  const read = { address, abi, functionName: 'isTrustedForwarder' } as const
  expect(await harness.client.readContract({ ...read, args })).toBe(true)
  expect(await harness.client.readContract({ ...read, args: [address] })).toBe(false)
  const actor = await receiver(harness, 'Actor')
  const data = concatHex([mintTo(stranger.address), signer.address])
  const call = { address: actor.address, abi: actor.abi, functionName: 'act' }
  await harness.mined(send(harness, stranger, { ...call, args: [address, 0n, data] }))
  expect(await harness.registry.read.creatorOf([await harness.registry.read.totalSupply()])).toBe(
    actor.address,
  )
})
