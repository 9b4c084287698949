import { expect, test } from 'vitest'
import { alarmsIn } from './search-secrets.ts'
import { emptyDraft } from './draft.ts'
import { sourceOf } from './source.ts'

const secret = `ghp_${'a1'.repeat(18)}`
const source = sourceOf('notes.md', new TextEncoder().encode(`the token is ${secret}`))
const draft = { ...emptyDraft, isShown: true, title: 'Notes' }

test('a secret is told apart by where it would be read', async () => {
  expect(await alarmsIn(source, draft)).toMatchObject({
    sealed: [{ excerpt: 'ghp_a1…' }],
    shown: [],
  })
  const preview = { ...draft, preview: secret }
  const { sealed, shown } = await alarmsIn(sourceOf('b', new TextEncoder().encode('x')), preview)
  expect([sealed.length, shown.length]).toEqual([0, 1])
})

test('a memory is looked through once, however often its card changes', async () => {
  const { sealed } = await alarmsIn(source, draft)
  expect((await alarmsIn(source, { ...draft, title: 'Other notes' })).sealed).toBe(sealed)
})
