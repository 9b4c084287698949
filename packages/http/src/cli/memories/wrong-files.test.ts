import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { folder, here, run, withServer } from '../../../test/command-harness.ts'

withServer()

const at = (name: string) => join(folder, name)
const document = '{"data":{},"metadata":{"category":"any"}}'
beforeAll(() => writeFileSync(at('right.json'), document))

/** Each way in which a command reads a file that somebody wrote: `W` here, beside a right one, `R`. */
const doors: readonly { readonly line: string; readonly isText?: true }[] = [
  { line: 'import W' },
  { line: 'snapshot W' },
  { line: 'snapshot W --category any' },
  { line: 'snapshot -' },
  { line: 'save ada W' },
  { line: 'diff W R' },
  { line: 'merge R W --base R' },
  { line: 'merge R R --base R --decisions W' },
  { line: 'scan W', isText: true },
  { line: 'scan -', isText: true },
]

/** Runs a line whose wrong file, or standard input, has these bytes. */
function runWith(line: string, bytes: Uint8Array) {
  const paths = { W: at('wrong.json'), R: at('right.json') }
  writeFileSync(paths.W, bytes)
  const words = line.split(' ').map((word) => paths[word as 'W' | 'R'] ?? word)
  return run(words, { env: here, input: bytes })
}

const files = [
  [
    'UTF-16 with its mark',
    Buffer.from('\uFEFF{"a":1}', 'utf16le'),
    'it is UTF-16; save it as UTF-8',
  ],
  ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le'), 'it is UTF-16; save it as UTF-8'],
  [
    'Latin-1',
    Buffer.from('{"a":\n "caf\xe9"}', 'latin1'),
    'it is not UTF-8 text (line 2, column 6)',
  ],
  [
    'NaN',
    Buffer.from('{"data":\n{"n":NaN}}'),
    'it has NaN (line 2, column 6), which JSON does not have; write null there',
  ],
  [
    'a second byte order mark',
    Buffer.from('\uFEFF\uFEFF{}'),
    'it has a byte order mark (line 1, column 1); remove it there',
  ],
] as const

describe.each(doors)('$line', ({ line, isText }) => {
  const read = isText ? files.slice(0, 3) : files
  test.each(read)('says of a file with %s what is wrong and where', async (_, bytes, problem) => {
    const { code, out, err } = await runWith(line, bytes)
    const named = line.endsWith('-') ? 'Standard input' : at('wrong.json')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`${named} is invalid: ${problem}.`)
  })

  test('reads a file with one byte order mark before it', async () => {
    const { err } = await runWith(line, Buffer.from(`\uFEFF${document}`))
    expect(err).not.toContain('is invalid')
  })
})
