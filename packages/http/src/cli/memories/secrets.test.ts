import { describe, expect, test } from 'vitest'
import { here, run, runJson, withServer } from '../../../test/command-harness.ts'

withServer()

// Joined here, so that no scanner takes this file for a leak.
const secret = ['ghp', 'R7mKq2xVn9LpW4sTz8YbC3dFh6JgA1eUoX5i'].join('_')
const memory = JSON.stringify({ notes: ['calm', `the token is ${secret}`], mood: 'calm' })

const commands = [
  ['snapshot', '-', '--category', 'research'],
  ['save', 'ada', '-', '--category', 'research'],
] as const

describe.each(commands.map((words) => [words[0], words] as const))('%s of a secret', (_, words) => {
  const send = (...more: string[]) => run([...words, ...more], { env: here, input: memory })

  test('is refused with its kind, its place and the ways out, and nothing is sent', async () => {
    const before = await runJson('activity', '--limit', '100')
    const { code, out, err } = await send()
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(
      /^The memory seems to contain secrets \(1: a GitHub token; at \/data\/notes\/1 line 1\)\. Remove them, let --redact replace them, or send them as they are with --keep-secrets: /,
    )
    expect(err).not.toContain(secret)
    expect(await runJson('activity', '--limit', '100')).toEqual(before)
    expect((await send('--redact', '--keep-secrets')).err).toBe(
      '--redact and --keep-secrets exclude each other.\n',
    )
  })

  test.each([
    ['--redact', false],
    ['--keep-secrets', true],
  ] as const)('with %s is sent', async (choice, isThere) => {
    const { out, err } = await send(choice)
    const [, id = ''] = /^Token +(\d+)$/m.exec(out) ?? []
    const replaced = 'Replaced a GitHub token at /data/notes/1 line 1\n'
    expect(err.startsWith(replaced)).toBe(!isThere)
    expect(`${out}${err}`).not.toContain(secret.slice(0, 4))
    const { out: text } = await run(['download', id], { env: here })
    expect(text.includes(secret)).toBe(isThere)
    expect(text).toContain('"mood":"calm"')
  })
})

test('a public card with a secret is refused', async () => {
  const words = ['snapshot', '-', '--category', 'research', '--title', `My ${secret}`]
  const { code, err } = await run(words, { env: here, input: '{"mood":"calm"}' })
  expect([code, err]).toEqual([2, expect.stringContaining('at /card/title line 1')])
})
