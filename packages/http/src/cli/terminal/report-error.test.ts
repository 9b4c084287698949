import { PassThrough } from 'node:stream'
import { Failure } from '@heirloom/core'
import { expect, test } from 'vitest'
import { reportError } from './report-error.ts'

async function report(terminal: object): Promise<string> {
  const stderr = Object.assign(new PassThrough(), terminal)
  const failure = new Failure('folder/in-use', { folder: '/srv/heirloom' })
  await reportError({ stderr, env: {} } as never, failure, { words: ['serve'], json: false })
  return `${stderr.read()}`
}

const sentence = 'Another server is using /srv/heirloom; stop it or choose another DATA_DIR.'

test('a sentence breaks between words on a terminal, and is one line elsewhere', async () => {
  expect(await report({ isTTY: false })).toBe(`${sentence}\n`)
  const shown = await report({ isTTY: true, columns: 40 })
  expect(shown.replaceAll('\n', ' ')).toBe(`${sentence} `)
  expect(shown.split('\n').map(({ length }) => length <= 40)).toEqual([true, true, true])
})
