import { expect, test } from 'vitest'
import { emptyDraft, type Source } from './draft.ts'
import { chooseSource, type Form } from './use-draft.ts'

const sourceOf = (name: string): Source => ({
  name,
  size: 2,
  data: new Blob(['{}']),
  beginning: '{}',
  explanation: '',
  left: [],
  secrets: [],
  values: [],
  suggested: {
    category: 'agent',
    agentId: name,
    version: `v of ${name}`,
    title: `Title of ${name}`,
    description: `About ${name}`,
    tags: name,
  },
})

const [ada, ben] = [sourceOf('Ada'), sourceOf('Ben')]
const empty: Form = { source: undefined, draft: emptyDraft }

/** The form after every suggestion of a file was taken. */
const filled: Form = { source: ada, draft: { ...emptyDraft, isPublic: true, ...ada.suggested } }

test('fills the labels with those of the files, and leaves the public description empty', () => {
  const { category, agentId, version } = ada.suggested
  expect(chooseSource(empty, ada)).toEqual({
    source: ada,
    draft: { ...emptyDraft, category, agentId, version },
  })
})

test('replaces the suggested labels and clears the suggested description for another file', () => {
  const { category, agentId, version } = ben.suggested
  const draft = { ...emptyDraft, isPublic: true, category, agentId, version }
  expect(chooseSource(filled, ben)).toEqual({ source: ben, draft })
})

test('leaves what was typed', () => {
  const typed = { category: 'research', agentId: 'Cleo', title: 'My own title', preview: 'A line' }
  const form = { source: ada, draft: { ...filled.draft, ...typed } }
  expect(chooseSource(form, ben).draft).toMatchObject({ ...typed, version: 'v of Ben', tags: '' })
})
