import { type Hex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { bloomOf } from './log-bloom.ts'
import { faultOfReceipt } from './receipt-fault.ts'

const [hash, blockHash, address] = [
  toHex(1, { size: 32 }),
  toHex(2, { size: 32 }),
  toHex(3, { size: 20 }),
]
const logs = [{ address, topics: [toHex(4, { size: 32 })] }]

const receipt = {
  transactionHash: hash,
  blockHash,
  blockNumber: '0x1',
  status: '0x1',
  logs,
} as const

/** Returns what is wrong with a receipt that has an event and a filter. */
const faultWith = (logsBloom: Hex | null) => faultOfReceipt({ ...receipt, logsBloom }, hash)

test.each([
  ['none', null],
  ['an empty one', '0x'],
  ['a short zero', '0x0'],
  ['zeros', `0x${'00'.repeat(256)}`],
  ['that of its events', toHex(bloomOf(logs))],
] as const)('nothing speaks against a receipt whose filter is %s', (_, filter) => {
  expect(faultWith(filter)).toBeUndefined()
})

test.each([
  ['0x0', 'spent less gas than any transaction'],
  [20_999n, 'spent less gas than any transaction'],
  [21_000n, undefined],
  [null, undefined],
] as const)('of a receipt with the gas %s: %s', (gasUsed, fault) => {
  expect(faultOfReceipt({ ...receipt, gasUsed }, hash)).toBe(fault)
})

test('a filter that is no filter, or has other events, speaks against its receipt', () => {
  const others = bloomOf([...logs, { address: toHex(5, { size: 20 }), topics: [] }])
  for (const filter of ['0x1', toHex(others)] as const) {
    expect(faultWith(filter), filter).toBe('has other events than its bloom')
  }
})
