import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureCodes } from '@heirloom/core'
import { describe, expect, it } from 'vitest'
import { statusOf } from '../../packages/http/src/api/status-of.ts'
import { exitCodeOf, exitMeanings } from '../../packages/http/src/cli/terminal/report-error.ts'
import { read, rowsUnder } from './docs.ts'

const text = read('docs/cli.md')
const source = join(import.meta.dirname, '../../packages/http/src/cli')

describe('docs/cli.md', () => {
  it('lists every exit code', () => {
    const documented = rowsUnder(text, '## Exit codes').map(([code, meaning]) => [
      Number(code),
      meaning,
    ])
    expect(documented).toEqual([...exitMeanings])
  })

  it('lists every variable that the commands read', () => {
    const names = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
      .flatMap((file) => readFileSync(join(source, file), 'utf8').match(/HEIRLOOM_[A-Z_]+/g) ?? [])
    for (const name of new Set(names)) expect(text).toContain(`| \`${name}\``)
  })
})

describe('the exit code', () => {
  it('of every failure has a meaning, and means a retry only for retryable failures', () => {
    for (const code of failureCodes) {
      const exit = exitCodeOf({ code })
      expect(exitMeanings.has(exit), code).toBe(true)
      expect(exit).not.toBe(0)
      expect(exit === 7 && !statusOf[code].retryable, code).toBe(false)
    }
  })

  it('of an unknown code follows its status', () => {
    for (const [status, exit] of [
      [404, 3],
      [403, 4],
      [409, 5],
      [402, 6],
      [503, 7],
      [500, 1],
    ] as const) {
      expect(exitCodeOf({ code: 'thing/new', status, retryable: status === 503 })).toBe(exit)
    }
    expect(exitCodeOf({ code: 'client/not-verified' })).toBe(8)
    // A wrong address is no missing token.
    expect(exitCodeOf({ code: 'route/not-found', status: 404 })).toBe(2)
    expect(exitCodeOf({ code: 'client/bad-answer', status: 404 })).toBe(2)
    expect(exitCodeOf({ code: 'client/bad-answer', status: 502, retryable: true })).toBe(7)
    expect(exitCodeOf({ code: 'wallet/new', status: 409 })).toBe(6)
    expect(exitCodeOf(new Error('of another class'))).toBe(1)
    expect(exitCodeOf(undefined)).toBe(1)
  })
})
