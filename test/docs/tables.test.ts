import { expect, it } from 'vitest'
import { tablePages, withTable } from '../../publish/tables.ts'
import { read } from './docs.ts'

it.each(tablePages)('%s has the table that `pnpm tables` writes', (page) => {
  expect(withTable(page)).toBe(read(page))
})
