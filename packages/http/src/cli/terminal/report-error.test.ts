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
  expect(await report({ isTTY: true, columns: 0 })).toBe(`${sentence}\n`)
})

test('a server that does not answer names the setting that led to it', async () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const lost = Object.assign(new Error('lost'), { code: 'ENOTFOUND' })
  const say = async (
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cause: Error = refused,
  ) => {
    const stderr = Object.assign(new PassThrough(), { isTTY: false })
    const facts = { path: '/' }
    const failure = Object.assign(new Error('it', { cause }), { code: 'client/unreachable', facts })
    await reportError({ stderr, env } as never, failure, { words, json: false })
    return `${stderr.read()}`
  }
  const none = 'No server at http://a. Start one with heirloom serve, or'
  const variable = { HEIRLOOM_URL: 'http://a' }
  expect(await say(['info', '7', '--url', 'http://a'], variable)).toBe(`${none} correct --url.\n`)
  expect(await say(['info', '7', '--url=http://a'])).toBe(`${none} correct --url.\n`)
  expect(await say(['info', '7'], variable)).toBe(`${none} correct HEIRLOOM_URL.\n`)
  expect(await say(['info', '7'])).toMatch(/, or set HEIRLOOM_URL\.\n$/)
  expect(await say(['info', '7', '--url', 'http://a'], {}, lost)).toContain('Check --url.')
  expect(await say(['info', '7'], variable, lost)).toContain('Check HEIRLOOM_URL.')
})
