import { expect, test } from 'vitest'
import { createClient } from './client.ts'

test('a text that nests deeper than any memory is refused by its code', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1' })
  const deep = (inside: string) => ({
    document: encode(`${'['.repeat(1002)}${inside}${']'.repeat(1002)}`),
  })
  const failure = {
    code: 'json/too-deep',
    facts: { limit: 1001 },
    message: 'The JSON text nests deeper than 1001 levels; use fewer.',
  }
  await expect(client.diff(deep('1'), deep('2'))).rejects.toMatchObject(failure)
  const sides = { base: deep('1'), ours: deep('2'), theirs: deep('3') }
  await expect(client.merge(sides)).rejects.toMatchObject(failure)
})

const encode = (text: string) => new TextEncoder().encode(text)
