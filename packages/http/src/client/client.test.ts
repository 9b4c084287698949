import { expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { agent, freeTerms, memory, other } from '../../test/server-harness.ts'

test('takes a memory from a snapshot to a buyer', async () => {
  const { client, clientAt } = await openClientHarness()
  const { tokenId, contentHash } = await client.snapshot(memory)
  expect((await client.info(tokenId)).contentHash).toBe(contentHash)
  await client.list({ ...freeTerms, tokenId, price: 5n })
  expect((await client.listings({ offer: ['sale'], limit: 1 })).items).toMatchObject([{ tokenId }])
  const buyer = clientAt({ account: other })
  await buyer.buy(tokenId, { maxPrice: 5n })
  const { data, metadata, document, ...rest } = await buyer.download(tokenId)
  expect({ data, metadata }).toEqual(memory)
  expect(JSON.parse(new TextDecoder().decode(document))).toEqual(memory)
  expect(rest).toMatchObject({ tokenId, contentHash })
  await expect(client.download(tokenId)).rejects.toMatchObject({
    code: 'access/denied',
    status: 403,
    facts: { tokenId, account: agent.address },
    retryable: false,
  })
})
