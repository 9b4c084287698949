import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { logBuffer } from './log-buffer.ts'

const line = fc.record({ level: fc.constantFrom(20, 30, 40, 50), words: fc.string() })

function openBuffer() {
  const written: string[] = []
  const buffer = logBuffer({ write: (it) => written.push(it) })
  onTestFinished(buffer.close)
  const write = (level: number, words: string) => {
    buffer.lastLevel = level
    buffer.write(words)
  }
  return { written, write, close: buffer.close }
}

test('lines are written in order, and a warning or an error at once with all lines before it', () => {
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const { written, write, close } = openBuffer()
      for (const [at, { level, words }] of lines.entries()) {
        write(level, words)
        if (level <= 30) continue
        const before = lines.slice(0, at + 1).map((it) => it.words)
        expect(written.join('')).toBe(before.join(''))
      }
      close()
      expect(written.join('')).toBe(lines.map((it) => it.words).join(''))
    }),
  )
})

test('lines of the level info are written in batches of bounded size', () => {
  const { written, write } = openBuffer()
  for (let count = 0; count < 1000; count++) write(30, 'a line of 20 letters')
  expect(written).toEqual([])
  for (let count = 0; count < 4000; count++) write(30, 'a line of 20 letters')
  expect(written).toHaveLength(1)
})

test('a line after the close is written at once', () => {
  const { written, write, close } = openBuffer()
  close()
  write(30, 'late')
  expect(written).toEqual(['late'])
})

describe('no line is lost when the process', () => {
  test.each([
    ['ends by itself', '', 0],
    ['exits', 'process.exit(3)', 3],
    ['dies of an error', 'throw new Error("sorry")', 1],
  ])('%s', async (_, ending, code) => {
    const module = JSON.stringify(new URL('./log-buffer.ts', import.meta.url).href)
    const program = `
      const { logBuffer } = await import(${module})
      const log = logBuffer(process.stderr)
      log.lastLevel = 30
      for (let at = 0; at < 5000; at++) log.write('line ' + at + '\\n')
      ${ending}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [output, [left]] = await Promise.all([text(child.stderr), once(child, 'close')])
    const lines = output.split('\n').filter((it) => it.startsWith('line '))
    expect(lines).toEqual(Array.from({ length: 5000 }, (_, at) => `line ${at}`))
    expect(left).toBe(code)
  })
})
