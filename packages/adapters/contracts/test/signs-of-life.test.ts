import { parseEventLogs } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { everyOffer } from './acts.ts'
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
let nameHeir: Plan['nameHeir']
let announce: Plan['announce']
let takeOver: Plan['takeOver']
let refuseTakeOver: Plan['refuseTakeOver']
let planOf: Plan['planOf']
let ripen: Plan['ripen']
beforeEach(() => {
  ;({ account, heir, nameHeir, announce, takeOver, refuseTakeOver, planOf, ripen } =
    plans.nextPlan())
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
