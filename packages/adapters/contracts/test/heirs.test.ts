import { parseEventLogs, zeroAddress } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { marketEvents, word } from './acts.ts'
import { day, type HeirPlans, openHeirPlans, stranger } from './heir-plans.ts'
import { receiver, send } from './receivers.ts'
import { refusalOf } from './refusal.ts'

let plans: HeirPlans
let harness: HeirPlans['harness']
let now: HeirPlans['now']
let wait: HeirPlans['wait']
beforeAll(async () => {
  plans = await openHeirPlans()
  ;({ harness, now, wait } = plans)
})

type Plan = ReturnType<HeirPlans['nextPlan']>
let account: Plan['account']
let heir: Plan['heir']
let planOf: Plan['planOf']
let ripen: Plan['ripen']
beforeEach(() => {
  ;({ account, heir, planOf, ripen } = plans.nextPlan())
})

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
