import { parseEther } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { marketEvents } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { receiver, send } from './receivers.ts'
import { refusalOf } from './refusal.ts'

const [payer, friend] = [party(2), party(3)]

let harness: ContractHarness
beforeAll(async () => {
  harness = await openContractHarness()
})

describe('withdrawFor', () => {
  test('sends native credit to its owner, for anybody', async () => {
    const seller = await receiver(harness, 'RefusingReceiver')
    const { address, abi } = harness.registry
    const args = [seller.address, `0x${'07'.repeat(32)}`, `0x${'08'.repeat(32)}`, 0n]
    await harness.mined(send(harness, seller, { address, abi, functionName: 'mint', args }))
    const tokenId = await harness.registry.read.totalSupply()
    const { marketplace, mined } = harness
    await mined(marketplace.write.payRoyalty([tokenId], { account: payer, value: 9n }))
    const refused = marketplace.simulate.withdrawFor([seller.address], { account: friend })
    expect(await refusalOf(refused)).toEqual({
      name: 'RecipientInvalid',
      facts: [seller.address],
    })
    await mined(harness.client.writeContract({ ...seller, functionName: 'relent', account: payer }))
    const receipt = await mined(
      marketplace.write.withdrawFor([seller.address], { account: friend }),
    )
    expect(await harness.client.getBalance(seller)).toBe(9n)
    expect(marketEvents(receipt, 'Withdrawn')).toEqual([
      { account: seller.address, to: seller.address, amount: 9n },
    ])
    const again = marketplace.simulate.withdrawFor([seller.address], { account: friend })
    expect((await refusalOf(again)).name).toBe('CreditEmpty')
  })
})

test('native credit and dollar credit of one account are apart', async () => {
  const seller = await receiver(harness, 'RefusingReceiver')
  const { registry, marketplace, mined } = harness
  const call = { address: registry.address, abi: registry.abi }
  const item = [seller.address, `0x${'07'.repeat(32)}`, `0x${'08'.repeat(32)}`, 0n]
  await mined(send(harness, seller, { ...call, functionName: 'mint', args: item }))
  const tokenId = await registry.read.totalSupply()
  const value = parseEther('1')
  await mined(marketplace.write.payRoyalty([tokenId], { account: payer, value }))
  expect(await marketplace.read.creditOf([seller.address])).toBe(value)
  expect(await marketplace.read.dollarCreditOf([seller.address])).toBe(0n)
  const dollars = marketplace.simulate.withdrawDollarsFor([seller.address], { account: payer })
  expect((await refusalOf(dollars)).name).toBe('CreditEmpty')
})
