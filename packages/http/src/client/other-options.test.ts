import { expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { other } from '../../test/server-harness.ts'

const documentWith = (name: string, value: unknown) =>
  JSON.stringify({ data: { a: 1 }, metadata: { category: 'x' }, [name]: value })

test.each([
  ['recipient', other.address],
  ['card', { title: 'public' }],
  ['parentTokenId', '1'],
  ['salt', `0x${'1'.repeat(64)}`],
  ['name', 'ada'],
  ['note', 'lost'],
])('the %s of a document is no option of its snapshot', async (name, value) => {
  const { client, state } = await openClientHarness()
  const before = state()
  const document = documentWith(name, value)
  const refused = { code: 'bundle/malformed', message: expect.stringContaining(`it has "${name}"`) }
  await expect(client.snapshot({ document })).rejects.toMatchObject(refused)
  const bytes = new TextEncoder().encode(document)
  await expect(client.memory('ada').save({ document: bytes })).rejects.toMatchObject(refused)
  expect(state()).toEqual(before)
})
