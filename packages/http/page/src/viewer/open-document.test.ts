import { expect, test } from 'vitest'
import { openDocument } from './open-document.ts'

const data = { notes: [{ text: 'tea' }, { text: 'milk' }], chat: [['a'], ['b']] }

async function open() {
  const { handlers } = openDocument()
  await handlers.open({ blob: new Blob([JSON.stringify({ data })]) })
  return handlers
}

test('a search that finds nothing leaves the tree as it is', async () => {
  const handlers = await open()
  handlers.expandAll({ row: 0 })
  const rows = handlers.rows({ from: 0, to: 100 })
  expect(await handlers.search({ text: 'coffee' })).toMatchObject({ count: 0, hasMore: false })
  expect(handlers.showWhole()).toEqual({ count: rows.length })
  expect(handlers.rows({ from: 0, to: 100 })).toEqual(rows)
})

test('a question shows what answers it, the best first', async () => {
  const handlers = await open()
  const found = await handlers.search({ text: 'Who drinks teas?' })
  expect(found).toMatchObject({ count: 2, isRanked: true })
  const { row = 0 } = handlers.showMatch({ nth: 0 })
  expect(handlers.rows({ from: row, to: row + 1 })[0]?.preview).toContain('tea')
})

test('a search that finds something collapses nothing', async () => {
  const handlers = await open()
  handlers.expandAll({ row: 0 })
  const rows = handlers.rows({ from: 0, to: 100 })
  expect(await handlers.search({ text: 'milk' })).toEqual({ count: 1, hasMore: false })
  const { count, row = 0 } = handlers.showMatch({ nth: 0 })
  expect(count).toBe(rows.length)
  expect(rows[row]?.preview).toBe('“milk”')
})
