import { expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { other } from '../../test/server-harness.ts'

const document =
  '{"data":{"notes":[{"n":18446744073709551615},"The Tide turns"],"a/b":null},"metadata":{"category":"x"}}'

test('outline, part and searchIn read inside a memory', async () => {
  const { client } = await openClientHarness()
  const { tokenId } = await client.snapshot({ document })
  const outline = await client.outline(tokenId, { pointer: '/data', depth: 1, width: 1 })
  expect(outline).toMatchObject({
    type: 'object',
    count: 2,
    next: 1,
    verifiedBy: 'digest',
    members: [{ pointer: '/data/notes', type: 'array', count: 2 }],
  })
  const part = await client.part(tokenId, '/data/notes/0/n')
  expect(new TextDecoder().decode(part.text)).toBe('18446744073709551615')
  expect(part).toMatchObject({ tokenId, verifiedBy: 'digest', digest: outline.digest })
  expect((await client.part(tokenId, '/data/a~1b')).value).toBeNull()
  expect((await client.part(tokenId, '')).value).toMatchObject({ metadata: { category: 'x' } })
  const selected = await client.selectIn(tokenId, '$.data.notes[-1:]', { limit: 1 })
  expect(selected).toMatchObject({
    verifiedBy: 'digest',
    digest: outline.digest,
    matches: [{ pointer: '/data/notes/1', bytes: 16, text: '"The Tide turns"' }],
  })
  expect(selected.next).toBeUndefined()
  const found = await client.searchIn(tokenId, 'tide', { limit: 1 })
  expect(found.matches).toMatchObject([{ pointer: '/data/notes/1', match: 'Tide' }])
  const rest = await client.searchIn(tokenId, 'tide', { after: found.next })
  expect(rest).toMatchObject({ matches: [] })
  expect(rest.next).toBeUndefined()
})

test('they fail as the server does, and without an account', async () => {
  const { client, clientAt } = await openClientHarness()
  const { tokenId } = await client.snapshot({ document })
  await expect(client.part(tokenId, '/data/x')).rejects.toMatchObject({
    code: 'part/not-found',
    facts: { pointer: '/data/x', problem: '/data has no such member' },
  })
  const outsider = clientAt({ account: other })
  await expect(outsider.outline(tokenId)).rejects.toMatchObject({ code: 'access/denied' })
  const nobody = clientAt({ account: undefined })
  await expect(nobody.searchIn(tokenId, 'a')).rejects.toMatchObject({ code: 'client/no-account' })
})
