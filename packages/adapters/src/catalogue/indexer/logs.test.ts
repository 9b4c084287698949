import {
  type Abi,
  type AbiEvent,
  pad,
  toEventSelector,
  toEventSignature,
  toHex,
  zeroAddress,
} from 'viem'
import { expect, test } from 'vitest'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../../ledger/contracts.generated.ts'
import { bloomOf } from '../../platform/nodes/log-bloom.ts'
import { decodeLogs, eventAbi, type RpcLog } from './logs.ts'
import { proveEvents } from './prove-events.ts'

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

const hash = pad('0x1')
const heartbeat = (index: number): RpcLog => ({
  address: zeroAddress,
  topics: [toEventSelector('Heartbeat(address)'), hash],
  data: '0x',
  blockNumber: '0x1',
  blockHash: hash,
  logIndex: toHex(index),
  transactionHash: hash,
})

test('a missing event is noticed by the numbers of the others, where the filter has no more than theirs', async () => {
  const [first, second] = [heartbeat(0), heartbeat(1)]
  const block = { number: 1, hash, parentHash: hash, at: 0, bloom: bloomOf([first, second]) }
  const readerOf = (all: readonly RpcLog[]) => ({
    contracts: [zeroAddress],
    allLogs: async () => all,
  })
  const shown = [second]
  await expect(proveEvents(readerOf(shown), block, shown)).rejects.toThrow('left out')
  const whole = { logs: [first, second], isWhole: true }
  expect(await proveEvents(readerOf(whole.logs), block, shown)).toEqual(whole)
  const elsewhere = [first, { ...second, blockNumber: toHex(2) }]
  await expect(proveEvents(readerOf(elsewhere), block, shown)).rejects.toThrow('left out')
})

test('an event without all its arguments is refused', () => {
  const { topics } = heartbeat(0)
  expect(() => decodeLogs([{ ...heartbeat(0), topics: topics.slice(0, 1) }])).toThrow('Heartbeat')
})
