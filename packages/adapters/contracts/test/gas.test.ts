import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { writeGasDocument } from './gas/document.ts'
import { ceilings } from './gas/floor.ts'
import type { Gas, Measurements } from './gas/meter.ts'
import { gasDocumentFile, gasSnapshotFile, measureGas } from './gas.ts'

let measured: Measurements

beforeAll(async () => {
  measured = await measureGas()
})

test('the committed snapshot matches the measurements', () => {
  expect(measured).toEqual(JSON.parse(readFileSync(gasSnapshotFile, 'utf8')))
})

test('the committed document matches the measurements', () => {
  expect(writeGasDocument(measured)).toBe(readFileSync(gasDocumentFile, 'utf8'))
})

test.for(Object.entries(ceilings))('%s uses at most %i gas', ([operation, ceiling]) => {
  expect(measured.heirloom[operation]).toBeLessThanOrEqual(ceiling)
})

test.for(Object.keys(ceilings))('%s stays within an eighth of its floor', (operation) => {
  const [gas = 0, least = 0] = [measured.heirloom[operation], measured.floor[operation]]
  expect(gas).toBeGreaterThan(least)
  expect(gas).toBeLessThan(least * 1.125)
})

test('every view of the deepest fork stays below what nodes and wallets allow', () => {
  const { 'buy by settle': _, ...views } = measured.deepest
  expect(Object.keys(views)).toHaveLength(8)
  expect(Math.max(...Object.values(views))).toBeLessThan(500_000)
})

test('a mint, a listing and a sale use less than half the gas of an ordinary project', () => {
  const life = (gas: Gas) =>
    ['mint', 'list', 'buy, first sale'].reduce((sum, operation) => sum + (gas[operation] ?? 0), 0)
  expect(life(measured.heirloom)).toBeLessThan(life(measured.ordinary) / 2)
})
