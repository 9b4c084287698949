import fc from 'fast-check'
import { expect, test } from 'vitest'
import { run } from '../../../test/command-harness.ts'
import { commandNames, firstCommands, groupHeadings } from '../load-command.ts'
import { idsText, wrapText } from './value-text.ts'

test('names all of a few ids, and of many the first ones', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => BigInt(at + 1))
  expect([idsText([]), idsText(ids(2))]).toEqual(['', '1, 2'])
  expect(idsText(ids(20))).toMatch(/, 20$/)
  expect(idsText(ids(1654))).toMatch(/^1, 2, .*, 20 and 1634 more$/)
})

const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1 }))

test('keeps every word in order, and every line within the width but a single longer word', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (all, width) => {
      const lines = wrapText(all.join(' '), width)
      expect(lines.join(' ')).toBe(all.join(' '))
      for (const line of lines) expect(line.length <= width || !line.includes(' ')).toBe(true)
    }),
  )
})

test('every help fits a terminal of 80 columns, and a pipe gets whole lines', async () => {
  const env = { NO_COLOR: '1' }
  for (const line of [[], ...commandNames.map((name) => [name, '--help'])]) {
    const { out } = await run(line, { env, isTTY: true })
    // Command lines stay whole, to be copied.
    const text = out.split('\n').filter((it) => !it.startsWith('  $ '))
    expect(text.filter((it) => it.length > 80)).toEqual([])
    const piped = await run(line, { env })
    expect(piped.out.split(/\s+/)).toEqual(out.split(/\s+/))
  }
})

test('every command is below a heading of the help', async () => {
  const { out } = await run([])
  expect(commandNames[0]).toBe('serve')
  for (const heading of Object.values(groupHeadings)) expect(out).toContain(`\n\n${heading}\n  `)
  for (const name of commandNames)
    expect(out.match(new RegExp(`^  ${name} `, 'gm'))).toHaveLength(1)
  const [, start = ''] = out.split(/\n\n(?:Start here|Your memories)\n/)
  expect(start.match(/^ {2}\S+/gm)?.map((it) => it.trim())).toEqual(firstCommands)
})
