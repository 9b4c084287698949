import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { Gas } from '../gas/meter.ts'
import { gasSnapshotFile, measureGas } from '../gas.ts'

const ceilings = {
  mint: 106_000,
  'mintBatch(100), per token': 74_000,
  list: 58_000,
  'buy, first sale': 98_000,
  'buy, resale': 70_000,
  rent: 72_000,
  renew: 55_000,
  fork: 92_000,
  royalty: 42_000,
}

let measured: Awaited<ReturnType<typeof measureGas>>

beforeAll(async () => {
  measured = await measureGas()
})

test('the committed snapshot is what the operations use', () => {
  expect(measured).toEqual(JSON.parse(readFileSync(gasSnapshotFile, 'utf8')))
})

test.for(Object.entries(ceilings))('%s uses at most %i gas', ([operation, ceiling]) => {
  expect(measured.heirloom[operation]).toBeLessThanOrEqual(ceiling)
})

test('a memory is made, listed and sold for less than half the gas of an ordinary project', () => {
  const life = (gas: Gas) =>
    ['mint', 'list', 'buy, first sale'].reduce((sum, operation) => sum + (gas[operation] ?? 0), 0)
  expect(life(measured.heirloom)).toBeLessThan(life(measured.ordinary) / 2)
})
