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

test('compares and merges versions with their common ancestor', async () => {
  const { client } = await openClientHarness()
  const save = async (data: object, parentTokenId?: string) =>
    (await client.snapshot({ data, metadata: { category: 'x' }, parentTokenId })).tokenId
  const base = await save({ notes: [1, 2], mood: 'calm' })
  const ours = await save(
    { notes: [1, 2], mood: 'glad' },
    await save({ notes: [1, 2], mood: 'calm', a: 1 }, base),
  )
  const theirs = await save({ notes: [0, 1, 2], mood: 'calm' }, base)
  expect((await client.diff(base, theirs)).patch).toBe(
    '[\n{"op":"add","path":"/data/notes/0","value":0}\n]',
  )
  const merged = await client.merge({ ours, theirs })
  const text = '{"data":{"notes":[0,1,2],"mood":"glad"},"metadata":{"category":"x"}}'
  expect(merged).toEqual({ document: new TextEncoder().encode(text), conflicts: [], base })
  expect((await client.merge({ ours: base, theirs })).base).toBe(base)
  const document = new TextEncoder().encode(text.replace('glad', 'sad'))
  const conflicting = await client.merge({ ours, theirs: { document }, base })
  expect(conflicting.conflicts.map((it) => it.path)).toEqual(['/data/mood'])
  const other = await save({ notes: [] })
  await expect(client.merge({ ours, theirs: other })).rejects.toMatchObject({
    code: 'client/no-common-version',
    facts: { ours, theirs: other },
  })
})
