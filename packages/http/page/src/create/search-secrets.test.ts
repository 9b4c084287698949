import { expect, test } from 'vitest'
import { emptyDraft } from './draft.ts'
import { searchSecrets } from './search-secrets.ts'
import { readSource } from './source.ts'

const secret = `ghp_${'a1'.repeat(18)}`
const source = readSource('notes.md', new TextEncoder().encode(`the token is ${secret}`))
const draft = { ...emptyDraft, isPublic: true, title: 'Notes' }

test('separates secrets of the memory from secrets of the public card', async () => {
  expect(await searchSecrets(source, draft)).toMatchObject({
    inMemory: [{ excerpt: 'ghp_a1…' }],
    inCard: [],
  })
  const preview = { ...draft, preview: secret }
  const { inMemory, inCard } = await searchSecrets(
    readSource('b', new TextEncoder().encode('x')),
    preview,
  )
  expect([inMemory.length, inCard.length]).toEqual([0, 1])
})

test('searches a memory once, however often its card changes', async () => {
  const { inMemory } = await searchSecrets(source, draft)
  expect((await searchSecrets(source, { ...draft, title: 'Other notes' })).inMemory).toBe(inMemory)
})
