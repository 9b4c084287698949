import { type Account, parseEventLogs, zeroAddress } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { type ContractHarness, openContractHarness, party } from '../contract-harness.ts'
import { actsOn, everyOffer, marketEvents, word } from './acts.ts'
import { receiver, send } from './receivers.ts'
import { refusalOf } from './refusal.ts'

const day = 86_400n
const [buyer, stranger] = [party(10), party(11)]

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>
let account = party(1)
let heir = party(2)
let next = 0

beforeAll(async () => {
  harness = await openContractHarness()
  acts = actsOn(harness)
})

// Each test has an account and an heir of its own, so that one chain suffices.
beforeEach(() => {
  ;[account, heir] = [party(next % 8), party((next + 1) % 8)]
  next += 1
})

const now = async () => (await harness.client.getBlock()).timestamp
const wait = async (time: bigint) => harness.mineAt((await now()) + time)

async function nameHeir(silence = 30n, notice = 40n, from: Account = account): Promise<bigint> {
  await harness.mined(
    harness.registry.write.nameHeir([heir.address, silence, notice], { account: from }),
  )
  return now()
}

const announce = (by = heir) =>
  harness.mined(harness.registry.write.announceTakeover([account.address], { account: by }))
const takeOver = (tokenIds: readonly bigint[], by = heir) =>
  harness.mined(harness.registry.write.takeOver([account.address, tokenIds], { account: by }))
const refuseTakeOver = (tokenIds: readonly bigint[], by = heir) =>
  refusalOf(harness.registry.simulate.takeOver([account.address, tokenIds], { account: by }))
const planOf = () => harness.registry.read.heirOf([account.address])

/** Lets an account fall silent, and its heir announce and wait for the whole notice. */
async function ripen(): Promise<void> {
  await nameHeir()
  await wait(30n * day)
  await announce()
  await wait(40n * day)
}

describe('an account names an heir', () => {
  test('with a silence and a notice, in place of any other', async () => {
    const receipt = await harness.mined(
      harness.registry.write.nameHeir([heir.address, 30n, 3_650n], { account }),
    )
    const lastSign = await now()
    expect(await planOf()).toEqual([heir.address, 30n, 3_650n, lastSign, 0n])
    const { logs } = receipt
    const [event] = parseEventLogs({ abi: memoryRegistryAbi, logs, eventName: 'HeirNamed' })
    expect(event?.args).toEqual({
      account: account.address,
      heir: heir.address,
      silenceDays: 30n,
      noticeDays: 3_650n,
    })
    await harness.mined(
      harness.registry.write.nameHeir([stranger.address, 3_650n, 30n], { account }),
    )
    expect((await planOf()).slice(0, 3)).toEqual([stranger.address, 3_650n, 30n])
  })

  test('or none, with three zeros', async () => {
    await ripen()
    await harness.mined(harness.registry.write.nameHeir([zeroAddress, 0n, 0n], { account }))
    expect((await planOf()).slice(0, 3)).toEqual([zeroAddress, 0n, 0n])
    expect((await planOf())[4]).toBe(0n)
    const attempt = harness.registry.simulate.announceTakeover([account.address], { account: heir })
    expect(await refusalOf(attempt)).toEqual({
      name: 'CallerNotHeir',
      facts: [account.address, zeroAddress, heir.address],
    })
    const successor = harness.registry.read.successorOf([account.address])
    expect((await refusalOf(successor)).name).toBe('TakeoverNotAnnounced')
  })

  test('but not itself, the pair, its forwarder or nobody', async () => {
    const { marketplace, forwarder } = harness
    const refused = [
      account.address,
      harness.registry.address,
      marketplace.address,
      forwarder.address,
      zeroAddress,
    ]
    for (const wrong of refused) {
      const attempt = harness.registry.simulate.nameHeir([wrong, 30n, 30n], { account })
      expect(await refusalOf(attempt)).toEqual({ name: 'HeirInvalid', facts: [wrong] })
    }
    for (const [silence, notice] of [
      [30n, 0n],
      [0n, 30n],
    ] as const) {
      const attempt = harness.registry.simulate.nameHeir([zeroAddress, silence, notice], {
        account,
      })
      expect((await refusalOf(attempt)).name).toBe('HeirInvalid')
    }
  })

  test.for([0n, 29n, 3_651n, 2n ** 16n + 30n])('but not with %i days', async (days) => {
    const facts = [days, 30n, 3_650n]
    for (const args of [
      [heir.address, days, 30n],
      [heir.address, 30n, days],
    ] as const) {
      const attempt = harness.registry.simulate.nameHeir(args, { account })
      expect(await refusalOf(attempt)).toEqual({ name: 'HeirDelayInvalid', facts })
    }
  })
})

describe('an heir', () => {
  test('announces after the silence, to the second', async () => {
    const silentAt = (await nameHeir()) + 30n * day
    await harness.mineAt(silentAt - 10n)
    const attempt = harness.registry.simulate.announceTakeover([account.address], { account: heir })
    expect(await refusalOf(attempt)).toEqual({
      name: 'AccountNotSilent',
      facts: [account.address, silentAt],
    })
    await harness.dateNextBlock(silentAt)
    const gas = 200_000n
    const receipt = await harness.mined(
      harness.registry.write.announceTakeover([account.address], { account: heir, gas }),
    )
    const { logs } = receipt
    const [event] = parseEventLogs({ abi: memoryRegistryAbi, logs, eventName: 'TakeoverAnnounced' })
    const takeoverAt = silentAt + 40n * day
    expect(event?.args).toEqual({ account: account.address, heir: heir.address, takeoverAt })
    expect((await planOf())[4]).toBe(silentAt)
    const again = harness.registry.simulate.announceTakeover([account.address], { account: heir })
    expect(await refusalOf(again)).toEqual({
      name: 'TakeoverAlreadyAnnounced',
      facts: [account.address, takeoverAt],
    })
  })

  test('takes over after the notice, to the second, in as many calls as it likes', async () => {
    const tokenIds = [await acts.mint(account), await acts.mint(account), await acts.mint(account)]
    const [first = 0n, ...others] = tokenIds
    await nameHeir()
    await wait(30n * day)
    expect((await refuseTakeOver(tokenIds)).name).toBe('TakeoverNotAnnounced')
    await announce()
    const takeoverAt = (await now()) + 40n * day
    await harness.mineAt(takeoverAt - 10n)
    expect(await refuseTakeOver(tokenIds)).toEqual({
      name: 'TakeoverTooEarly',
      facts: [account.address, takeoverAt],
    })
    await harness.dateNextBlock(takeoverAt)
    const gas = 500_000n
    const receipt = await harness.mined(
      harness.registry.write.takeOver([account.address, others], { account: heir, gas }),
    )
    const logs = parseEventLogs({ abi: memoryRegistryAbi, logs: receipt.logs })
    expect(logs.map(({ eventName }) => eventName)).toEqual(['Transfer', 'Transfer', 'TakenOver'])
    expect(logs.at(-1)?.args).toEqual({
      account: account.address,
      heir: heir.address,
      tokenIds: others,
    })
    expect(await harness.registry.read.successorOf([account.address])).toBe(heir.address)
    await takeOver([first])
    for (const tokenId of tokenIds) {
      expect(await harness.registry.read.ownerOf([tokenId])).toBe(heir.address)
    }
  })

  test('takes only what the account owns, once, 1 to 200 at a time', async () => {
    const [own, foreign] = [await acts.mint(account), await acts.mint(stranger)]
    await ripen()
    expect(await refuseTakeOver([own, foreign])).toEqual({
      name: 'ERC721IncorrectOwner',
      facts: [account.address, foreign, stranger.address],
    })
    expect(await refuseTakeOver([own, own])).toEqual({
      name: 'ERC721IncorrectOwner',
      facts: [account.address, own, heir.address],
    })
    expect((await refuseTakeOver([10_000n])).name).toBe('ERC721NonexistentToken')
    expect(await refuseTakeOver([])).toEqual({ name: 'BatchSizeInvalid', facts: [0n, 200n] })
    const many = Array.from({ length: 201 }, () => own)
    expect(await refuseTakeOver(many)).toEqual({ name: 'BatchSizeInvalid', facts: [201n, 200n] })
    expect(await refuseTakeOver([own], stranger)).toEqual({
      name: 'CallerNotHeir',
      facts: [account.address, heir.address, stranger.address],
    })
  })

  test('takes 200 tokens in one call', async () => {
    const items = Array.from({ length: 200 }, () => ({
      recipient: account.address,
      contentHash: word(7),
      digest: word(8),
      parent: 0n,
    }))
    const first = (await harness.registry.read.totalSupply()) + 1n
    await harness.mined(harness.registry.write.mintBatch([items], { account }))
    await ripen()
    await takeOver(items.map((_, index) => first + BigInt(index)))
    expect(await harness.registry.read.ownerOf([first + 199n])).toBe(heir.address)
  })

  test('gets tokens without their listing and approvals, with their rentals running', async () => {
    const tokenId = await acts.mint(account)
    await acts.list(account, tokenId)
    await acts.rent(buyer, tokenId, 365n)
    await harness.mined(harness.registry.write.approve([stranger.address, tokenId], { account }))
    const expiresAt = await harness.marketplace.read.rentalExpiry([tokenId, buyer.address])
    await ripen()
    await takeOver([tokenId])
    expect((await harness.marketplace.read.listingOf([tokenId]))[0]).toBe(zeroAddress)
    expect(await harness.registry.read.getApproved([tokenId])).toBe(zeroAddress)
    expect(await harness.marketplace.read.rentalExpiry([tokenId, buyer.address])).toBe(expiresAt)
    const attempt = harness.marketplace.simulate.buy([tokenId, buyer.address], {
      account: buyer,
      value: everyOffer.price,
    })
    expect((await refusalOf(attempt)).name).toBe('ListingNotForSale')
  })

  test('of an heir takes nothing of the first account', async () => {
    const tokenId = await acts.mint(account)
    const last = party((next + 3) % 8)
    await ripen()
    await harness.mined(
      harness.registry.write.nameHeir([last.address, 30n, 30n], { account: heir }),
    )
    await wait(30n * day)
    await harness.mined(harness.registry.write.announceTakeover([heir.address], { account: last }))
    await wait(30n * day)
    const attempt = harness.registry.simulate.takeOver([account.address, [tokenId]], {
      account: last,
    })
    expect((await refusalOf(attempt)).name).toBe('CallerNotHeir')
    await takeOver([tokenId])
    await harness.mined(
      harness.registry.write.takeOver([heir.address, [tokenId]], { account: last }),
    )
    expect(await harness.registry.read.ownerOf([tokenId])).toBe(last.address)
  })
})

describe('a sign of life', () => {
  const signs = {
    'a heartbeat': () => harness.mined(harness.registry.write.heartbeat({ account })),
    'a mint to oneself': () => acts.mint(account),
    'a transfer that the owner sends': async () =>
      acts.transfer(account, tokenId, stranger.address),
    'a transfer to oneself': async () => acts.transfer(account, tokenId, account.address),
    'another plan': () => nameHeir(31n, 41n),
  }
  let tokenId = 0n

  test.for(Object.keys(signs) as (keyof typeof signs)[])('ends a takeover: %s', async (kind) => {
    tokenId = await acts.mint(account)
    const untouched = await acts.mint(account)
    await ripen()
    await signs[kind]()
    expect((await refuseTakeOver([untouched])).name).toBe('TakeoverNotAnnounced')
    const credit = harness.marketplace.simulate.takeOverCredit([account.address], { account: heir })
    expect((await refusalOf(credit)).name).toBe('TakeoverNotAnnounced')
    const announced = harness.registry.simulate.announceTakeover([account.address], {
      account: heir,
    })
    expect((await refusalOf(announced)).name).toBe('AccountNotSilent')
    const [, , , lastSign, announcedAt] = await planOf()
    expect([lastSign, announcedAt]).toEqual([await now(), 0n])
  })

  test('keeps the number of tokens, and tells who gave it', async () => {
    await acts.mint(account)
    const before = await harness.registry.read.balanceOf([account.address])
    const { logs } = await harness.mined(harness.registry.write.heartbeat({ account }))
    const [event] = parseEventLogs({ abi: memoryRegistryAbi, logs, eventName: 'Heartbeat' })
    expect(event?.args).toEqual({ account: account.address })
    expect(await harness.registry.read.balanceOf([account.address])).toBe(before)
  })

  test('every day keeps the heir away for ever', async () => {
    const [tokenId] = [await acts.mint(account)]
    await nameHeir()
    for (let days = 0; days < 60; days += 10) {
      await wait(10n * day)
      await harness.mined(harness.registry.write.heartbeat({ account }))
    }
    const attempt = harness.registry.simulate.announceTakeover([account.address], { account: heir })
    expect((await refusalOf(attempt)).name).toBe('AccountNotSilent')
    expect((await refuseTakeOver([tokenId])).name).toBe('TakeoverNotAnnounced')
  })
})

describe('no stranger can give a sign of life or take it away', () => {
  test('by a mint, a fork, a sale, a rental or a transfer to the account', async () => {
    const [listed, given, sold] = [
      await acts.mint(account),
      await acts.mint(stranger),
      await acts.mint(account),
    ]
    await acts.list(account, sold, { price: 5n })
    await acts.list(account, listed, everyOffer)
    const signedAt = await nameHeir()
    // Blocks may share their time, and a sign would have that of the plan.
    await wait(100n)
    await acts.mint(stranger, account.address)
    await acts.transfer(stranger, given, account.address)
    const fork = [listed, account.address, 10_000n] as const
    const payment = { account: stranger, value: everyOffer.forkPrice }
    await harness.mined(harness.marketplace.write.fork(fork, payment))
    await acts.rent(stranger, listed, 1n)
    await acts.buy(stranger, sold)
    const pay = { account: stranger, value: 5n }
    await harness.mined(harness.marketplace.write.payRoyalty([listed], pay))
    expect((await planOf())[3]).toBe(signedAt)
    await wait(30n * day)
    await announce()
    await acts.mint(stranger, account.address)
    await wait(40n * day)
    await takeOver([listed, given])
  })

  test('by a transfer as operator or approved', async () => {
    const [one, two, three] = [
      await acts.mint(account),
      await acts.mint(account),
      await acts.mint(account),
    ]
    await harness.mined(
      harness.registry.write.setApprovalForAll([stranger.address, true], { account }),
    )
    await harness.mined(harness.registry.write.approve([buyer.address, two], { account }))
    await ripen()
    const { write } = harness.registry
    const moves = [
      write.transferFrom([account.address, stranger.address, one], { account: stranger }),
      write.transferFrom([account.address, buyer.address, two], { account: buyer }),
    ]
    for (const move of moves) await harness.mined(move)
    await takeOver([three])
    await harness.mined(
      harness.registry.write.setApprovalForAll([stranger.address, false], { account }),
    )
  })
})

describe('the credits of an account', () => {
  test('are taken over with its tokens, in both currencies, once', async () => {
    const wallet = await receiver(harness, 'RefusingReceiver')
    const call = { address: harness.registry.address, abi: harness.registry.abi }
    const item = [wallet.address, word(7), word(8), 0n]
    await harness.mined(send(harness, wallet, { ...call, functionName: 'mint', args: item }))
    const tokenId = await harness.registry.read.totalSupply()
    const pay = { account: stranger, value: 77n }
    await harness.mined(harness.marketplace.write.payRoyalty([tokenId], pay))
    const plan = { ...call, functionName: 'nameHeir', args: [heir.address, 30n, 30n] }
    await harness.mined(send(harness, wallet, plan))
    const { simulate, write, read } = harness.marketplace
    const attempt = () => refusalOf(simulate.takeOverCredit([wallet.address], { account: heir }))
    expect((await attempt()).name).toBe('TakeoverNotAnnounced')
    await wait(30n * day)
    await harness.mined(
      harness.registry.write.announceTakeover([wallet.address], { account: heir }),
    )
    expect((await attempt()).name).toBe('TakeoverTooEarly')
    await wait(30n * day)
    const wrong = simulate.takeOverCredit([wallet.address], { account: stranger })
    expect(await refusalOf(wrong)).toEqual({
      name: 'CallerNotHeir',
      facts: [wallet.address, heir.address, stranger.address],
    })
    const receipt = await harness.mined(write.takeOverCredit([wallet.address], { account: heir }))
    expect(marketEvents(receipt, 'CreditTakenOver')).toEqual([
      { account: wallet.address, heir: heir.address, amount: 77n, dollars: 0n },
    ])
    expect(await read.creditOf([wallet.address])).toBe(0n)
    expect(await read.creditOf([heir.address])).toBe(77n)
    expect(await attempt()).toEqual({ name: 'CreditEmpty', facts: [wallet.address] })
    await harness.mined(write.withdraw([heir.address], { account: heir }))
  })
})
