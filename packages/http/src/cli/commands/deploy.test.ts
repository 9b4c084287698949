import { PassThrough, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'

/** Runs the command with a reader of its notes that takes its time, and may then be gone. */
async function noted(gone?: Error) {
  const taken: string[] = []
  const stderr = new Writable({
    write: (chunk, _, done) => {
      setTimeout(50).then(() => {
        taken.push(`${chunk}`)
        done(gone)
      })
    },
  }).on('error', () => undefined)
  const stdout = new PassThrough()
  const printed = text(stdout)
  const code = await runCommand(['deploy', '--standard-json'], {
    ...{ env: {}, stdin: Readable.from([]), stdout, stderr },
    interrupted: () => new AbortController().signal,
  })
  stdout.end()
  return { code, taken: [...taken], printed: await printed }
}

test.each([
  ['is read slowly', undefined],
  ['is read no more', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
])(
  'what is said beside the answer is waited for, and nothing left undone where it %s',
  async (_, gone) => {
    const { code, taken, printed } = await noted(gone)
    expect([code, taken]).toEqual([0, [expect.stringMatching(/^Compiler .*\n$/)]])
    expect(JSON.parse(printed)).toHaveProperty('sources')
  },
)
