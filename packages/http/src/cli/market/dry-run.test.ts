import { expect, test } from 'vitest'
import { here, mintToken, run, withServer } from '../../../test/command-harness.ts'
import { ada } from '../../../test/wallet-harness.ts'

withServer()

const memory = '{"data":{"notes":["calm"]},"metadata":{"category":"x"}}'
const snapshot = (...words: readonly string[]) =>
  run(['snapshot', '-', '--json', ...words], { env: here, input: memory })

test.each([
  ['token/not-found', ['--parent', '999']],
  ['recipient/invalid', ['--recipient', `0x${'0'.repeat(40)}`]],
  ['excerpt/not-in-memory', ['--title', 'Notes', '--excerpt', '/data/nope']],
  ['excerpt/not-in-memory', ['--title', 'Notes', '--excerpt', '/data/notes/1']],
  ['card/malformed', ['--title', 'Two\nlines']],
])('a dry run of a snapshot refuses what the write does: %s', async (code, words) => {
  for (const more of [[], ['--dry-run']]) {
    const { err } = await snapshot(...words, ...more)
    expect(JSON.parse(err).code, `${more}`).toBe(code)
  }
})

test('a dry run of a snapshot takes what the write does', async () => {
  const id = await mintToken()
  const words = ['--parent', id, '--recipient', ada.address, '--title', 'Notes']
  const { code, err } = await snapshot(...words, '--excerpt', '/data/notes/0,/data', '--dry-run')
  expect([code, err]).toEqual([0, ''])
})

test.each(['list', 'offer'])('a dry run of %s refuses the token of another owner', async (name) => {
  const id = await mintToken({ mood: 'calm' }, '--recipient', ada.address)
  for (const more of [[], ['--dry-run']]) {
    const { code, err } = await run([name, id, '--price', '5', '--json', ...more], { env: here })
    expect([code, JSON.parse(err).code]).toEqual([5, 'listing/not-owner'])
  }
})
