import { type Abi, type AbiEvent, toEventSignature } from 'viem'
import { expect, test } from 'vitest'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../../ledger/contracts.generated.ts'
import { eventAbi } from './logs.ts'

/** Returns the signature of each event, its argument names, and which of them are indexed. */
function describeEvents(abi: Abi): readonly string[] {
  const events = abi.filter((item): item is AbiEvent => item.type === 'event')
  return events.map(
    (event) =>
      `${toEventSignature(event)} ${event.inputs.map((it) => `${it.indexed ? '*' : ''}${it.name}`).join(' ')}`,
  )
}

test('reads every event of the contracts about tokens, money and heirs, as they declare it', () => {
  // Approvals and refunds of deposits change no token, no listing and no credit.
  const others = /^(Approval|OrderRefunded)/
  const declared = describeEvents([...memoryRegistryAbi, ...memoryMarketplaceAbi])
  const expected = declared.filter((it) => !others.test(it))
  expect(describeEvents(eventAbi).toSorted()).toEqual(expected.toSorted())
})
