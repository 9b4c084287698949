import { expect, test } from 'vitest'
import {
  freeTerms,
  listToken,
  memory,
  mintToken,
  openHarness,
  post,
} from '../../../test/server-harness.ts'

type Refusal = readonly [path: string, body: object, name: string, meant: string]

const refusals: readonly Refusal[] = [
  ['/api/marketplace/rent/1', { durationDays: 1, maxPrise: '1' }, 'maxPrise', 'maxPrice'],
  ['/api/marketplace/buy/1', { maxprice: '1' }, 'maxprice', 'maxPrice'],
  ['/api/memory/snapshot', { ...memory, recpient: 'x' }, 'recpient', 'recipient'],
  ['/api/memory/snapshot', { ...memory, Card: {} }, 'Card', 'card'],
  ['/api/marketplace/list', { tokenId: '1', ...freeTerms, dollers: {} }, 'dollers', 'dollars'],
]

test.each(refusals)('%s with %j changes nothing', async (path, body, name, meant) => {
  const harness = openHarness()
  await listToken(harness, { price: '1000', rentalPricePerDay: '1000', forkPrice: '1000' })
  const before = harness.state()
  const reply = await post(harness, path, body)
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({
    code: 'request/malformed',
    detail: `body/${name} is not known here, and looks like ${meant}.`,
  })
  expect(harness.state()).toEqual(before)
})

test('a member that is like none is ignored, and so is what a memory holds', async () => {
  const harness = openHarness()
  const data = { maxPrise: 1, Card: {} }
  expect(await mintToken(harness, { data, note: 'x', date: 'today' })).toBe('1')
})
