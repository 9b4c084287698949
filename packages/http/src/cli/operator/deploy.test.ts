import { PassThrough, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'

/** Runs the command with a slow reader of its notes, which may fail. */
async function runWithSlowReader(failure?: Error) {
  const notes: string[] = []
  const stderr = new Writable({
    write: (chunk, _, done) => {
      setTimeout(50).then(() => {
        notes.push(`${chunk}`)
        done(failure)
      })
    },
  }).on('error', () => undefined)
  const stdout = new PassThrough()
  const printed = text(stdout)
  const code = await runCommand(['deploy', '--standard-json'], {
    env: {},
    stdin: Readable.from([]),
    stdout,
    stderr,
    interrupted: () => new AbortController().signal,
    comeLast: () => undefined,
    stopped: () => new Promise(() => undefined),
  })
  stdout.end()
  return { code, notes: [...notes], printed: await printed }
}

test.each([
  ['slow', undefined],
  ['broken', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
])('waits for its notes, and finishes the command when their pipe is %s', async (_, failure) => {
  const { code, notes, printed } = await runWithSlowReader(failure)
  expect([code, notes]).toEqual([0, [expect.stringMatching(/^Compiler .*\n$/)]])
  expect(JSON.parse(printed)).toHaveProperty('sources')
})
