import { expect, test } from 'vitest'
import { openClientHarness } from '../../../test/client-harness.ts'
import { freeTerms, memory } from '../../../test/server-harness.ts'
import type { Client } from '../client.ts'

const oddTerms = (terms: object) => ({ ...freeTerms, tokenId: 1, ...terms }) as never
const key = `0x${'5'.repeat(64)}`

const wrong: readonly [
  message: string,
  call: (client: Client) => Promise<unknown>,
  facts: object,
][] = [
  [
    'rentalPricePerDay is missing; give an amount of 0 or more as a bigint or a decimal string, without a point or a unit.',
    ({ list }) => list({ tokenId: 1, price: 5n, forkPrice: 0n, forkRoyaltyBps: 0 } as never),
    { kind: 'amount', field: 'rentalPricePerDay', given: 'missing' },
  ],
  [
    'dollars.forkPrice is "1.5"; give an amount',
    ({ list }) =>
      list(oddTerms({ dollars: { price: 0n, rentalPricePerDay: 0n, forkPrice: '1.5' } })),
    { kind: 'amount', field: 'dollars.forkPrice', given: '"1.5"' },
  ],
  [
    'tokenId is "one"; give the id of a token as a number, a bigint or a decimal string.',
    ({ info }) => info('one'),
    { kind: 'token id', field: 'tokenId', given: '"one"' },
  ],
  [
    'parentTokenId is -1; give the id',
    ({ snapshot }) => snapshot({ ...memory, parentTokenId: -1 }),
    { field: 'parentTokenId', given: '-1' },
  ],
  ['maxPrice is -1; give', ({ buy }) => buy(1, { maxPrice: -1n }), { field: 'maxPrice' }],
  [
    'amount is a text of 66 characters; give',
    ({ royalty }) => royalty(1, { amount: key }),
    { field: 'amount', given: 'a text of 66 characters' },
  ],
  [
    'The bundle is invalid: /data/scores/1 is a bigint, which has no JSON form.',
    ({ snapshot }) => snapshot({ ...memory, data: { scores: [1, 2n] } }),
    { problem: '/data/scores/1 is a bigint, which has no JSON form' },
  ],
  [
    'The bundle is invalid: /metadata/self contains itself, which has no JSON form.',
    ({ snapshot }) => {
      const metadata: { category: string; self?: object } = { category: 'x' }
      metadata.self = metadata
      return snapshot({ data: {}, metadata })
    },
    { problem: '/metadata/self contains itself, which has no JSON form' },
  ],
]

test.each(wrong)('%s', async (message, call, facts) => {
  const { client, state } = await openClientHarness()
  const before = await state()
  const error = await call(client).catch((it: unknown) => it)
  expect(error).toMatchObject({ name: 'HeirloomError', facts })
  expect(error).not.toHaveProperty('status')
  expect(String(error)).toContain(message)
  expect(String(error)).not.toContain(key)
  expect(await state()).toEqual(before)
})

test('a refusal by the server names the field and what was given', async () => {
  const { client } = await openClientHarness()
  await expect(client.memories({ limit: 1000 })).rejects.toMatchObject({
    code: 'request/malformed',
    status: 400,
    message: 'querystring/limit must be a whole number from 1 to 100; it is 1000.',
    facts: { where: 'querystring/limit', given: '1000' },
  })
  await expect(client.rent(1, { durationDays: 400 })).rejects.toMatchObject({
    message: 'body/durationDays must be <= 365; it is the number 400.',
    facts: { where: 'body/durationDays', problem: 'must be <= 365', given: 'the number 400' },
  })
})
