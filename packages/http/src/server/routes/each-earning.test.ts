import { tokenId, wei } from '@heirloom/core'
import { expect, test } from 'vitest'
import { addressOf, agent, listToken, openHarness, other } from '../../../test/server-harness.ts'

const url = `/api/accounts/${addressOf(agent)}/earnings/each`

test('returns each payment with its event, the newest first, page by page', async () => {
  const harness = openHarness()
  const { server, chain, catalogue } = harness
  await listToken(harness, { price: '90', rentalPricePerDay: '10', forkPrice: '0' })
  const recipient = addressOf(other)
  const buyer = chain.ledger(recipient)
  await buyer.rent({ tokenId: tokenId(1n), days: 2, price: wei(20n), recipient })
  await buyer.buy({ tokenId: tokenId(1n), price: wei(90n), recipient })
  const { items: events } = await catalogue.activity({ limit: 100 })
  const eventOf = (kind: string) => events.find((it) => it.kind === kind)
  const [sale, rental] = [eventOf('sale'), eventOf('rental')]
  const first = (await server.inject(`${url}?limit=1`)).json()
  expect(first.items).toEqual([
    {
      kind: 'sales',
      currency: 'native',
      amount: '90',
      event: sale?.id,
      tokenId: '1',
      txHash: sale?.txHash,
      timestamp: `${Math.floor(Number(sale?.at) / 1000)}`,
    },
  ])
  const second = (await server.inject(`${url}?limit=1&after=${first.next}`)).json()
  expect(second.items).toMatchObject([{ kind: 'rentals', amount: '20', event: rental?.id }])
  expect(second.next).toBe(null)
})

test('refuses a cursor of another list', async () => {
  const reply = await openHarness().server.inject(`${url}?after=abc`)
  expect([reply.statusCode, reply.json().code]).toEqual([400, 'request/malformed'])
})
