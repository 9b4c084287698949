import { parseEventLogs, zeroAddress } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { everyOffer, word } from './acts.ts'
import { buyer, day, type HeirPlans, openHeirPlans, stranger } from './heir-plans.ts'
import { refusalOf } from './refusal.ts'

let plans: HeirPlans
let harness: HeirPlans['harness']
let acts: HeirPlans['acts']
let now: HeirPlans['now']
let wait: HeirPlans['wait']
beforeAll(async () => {
  plans = await openHeirPlans()
  ;({ harness, acts, now, wait } = plans)
})

type Plan = ReturnType<HeirPlans['nextPlan']>
let account: Plan['account']
let heir: Plan['heir']
let outsider: Plan['outsider']
let nameHeir: Plan['nameHeir']
let announce: Plan['announce']
let takeOver: Plan['takeOver']
let refuseTakeOver: Plan['refuseTakeOver']
let planOf: Plan['planOf']
let ripen: Plan['ripen']
beforeEach(() => {
  ;({ account, heir, outsider, nameHeir, announce, takeOver, refuseTakeOver, planOf, ripen } =
    plans.nextPlan())
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
    await ripen()
    await harness.mined(
      harness.registry.write.nameHeir([outsider.address, 30n, 30n], { account: heir }),
    )
    await wait(30n * day)
    await harness.mined(
      harness.registry.write.announceTakeover([heir.address], { account: outsider }),
    )
    await wait(30n * day)
    const attempt = harness.registry.simulate.takeOver([account.address, [tokenId]], {
      account: outsider,
    })
    expect((await refusalOf(attempt)).name).toBe('CallerNotHeir')
    await takeOver([tokenId])
    await harness.mined(
      harness.registry.write.takeOver([heir.address, [tokenId]], { account: outsider }),
    )
    expect(await harness.registry.read.ownerOf([tokenId])).toBe(outsider.address)
  })
})
