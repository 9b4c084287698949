import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, here, run, runJson, withServer } from '../../../test/command-harness.ts'

withServer()

const call = (...words: string[]) => run(words, { env: here })

test('saves the next version without a value, and says what stays', async () => {
  const file = join(folder, 'memory.json')
  const text = (notes: string) =>
    `{"data":{"big":12345678901234567890,"notes":${notes}},"metadata":{"category":"x"}}`
  writeFileSync(file, text('["a", "b" , "c"]'))
  const first = await runJson('save', 'ada', file)
  const { code, out } = await call('remove', 'ada', '/data/notes/1')
  expect([code, out]).toEqual([0, expect.stringContaining('2 of ada')])
  expect(out).toContain('Earlier versions still have /data/notes/1, until each is erased.')
  expect((await call('restore', 'ada')).out).toBe(text('["a", "c"]'))
  expect((await call('restore', 'ada@1')).out).toBe(text('["a", "b" , "c"]'))

  const missing = await call('remove', 'ada', '/data/notes/2')
  expect([missing.code, missing.err]).toEqual([
    3,
    expect.stringContaining('the list at "/data/notes" has 2 items'),
  ])
  const late = await call('remove', 'ada', '/data/notes/0', '--after', `${first.tokenId}`)
  expect(late.code).toBe(5)
  expect((await call('remove', 'nobody', '/data/notes/0')).code).toBe(3)
  expect((await call('restore', 'ada')).out).toBe(text('["a", "c"]'))
})
