import { expect, test } from 'vitest'
import { readPages } from './reads.ts'

test('reads every item up to the last page, or as many as are wanted', async () => {
  const read = async (after = '0') => ({
    items: [after],
    next: after === '3' ? null : `${+after + 1}`,
  })
  expect(await readPages(read)).toEqual(['0', '1', '2', '3'])
  expect(await readPages(read, { most: 2 })).toEqual(['0', '1'])
})

test('refuses pages that lead back to an earlier one, or have no end', async () => {
  const refused = { code: 'client/bad-answer' }
  let requests = 0
  const again = async () => ({ items: [requests++], next: 'again' })
  await expect(readPages(again)).rejects.toMatchObject(refused)
  expect(requests).toBe(2)
  const endless = async () => ({ items: [], next: `${requests++}` })
  await expect(readPages(endless)).rejects.toMatchObject(refused)
  expect(requests).toBeLessThan(2000)
})
