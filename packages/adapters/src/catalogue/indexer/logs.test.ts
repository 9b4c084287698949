import { type Abi, type AbiEvent, toEventSignature } from 'viem'
import { expect, test } from 'vitest'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../../ledger/contracts.generated.ts'
import { readAbi } from './logs.ts'

/** What an event says, and how, as its declaration does. */
function told(abi: Abi): readonly string[] {
  const events = abi.filter((item): item is AbiEvent => item.type === 'event')
  return events.map(
    (event) =>
      `${toEventSignature(event)} ${event.inputs.map((it) => `${it.indexed ? '*' : ''}${it.name}`).join(' ')}`,
  )
}

test('every event is read that the contracts emit of tokens and money, as they declare it', () => {
  const approvals = /^Approval/
  const declared = told([...memoryRegistryAbi, ...memoryMarketplaceAbi])
  expect(told(readAbi).toSorted()).toEqual(declared.filter((it) => !approvals.test(it)).toSorted())
})
