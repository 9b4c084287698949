import { readFileSync } from 'node:fs'
import { Failure, failureCodes, tokenId, wei } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../api/problem.ts'
import { statusOf } from '../../api/status-of.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

type Row = readonly [code: string, status: string, retryable: string, facts: string, when: string]
const rows = [...read('../../../../../docs/failures.md').matchAll(/^\| `.*$/gm)].map(
  ([line]) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()) as unknown as Row,
)

/** The facts of each failure, as its type declares them. */
const declared = new Map(
  [
    ...read('../../../../core/src/failure-facts.ts').matchAll(
      /^ {2}'([a-z/-]+)': (\{[^}]*\}|Record<.*>)$/gm,
    ),
  ].map(([, code = '', facts = '']) => [
    code,
    [...facts.matchAll(/(\w+)\??: /g)].map(([, name]) => `\`${name}\``).join(', '),
  ]),
)

describe('docs/failures.md', () => {
  test('has one row for every failure code, in order, and no other', () => {
    expect(rows.map(([code]) => code)).toEqual(failureCodes.map((code) => `\`${code}\``))
  })

  test.each(failureCodes)('documents the reply to %s', (code) => {
    const [, status, retryable, facts, when] = rows.find(([it]) => it === `\`${code}\``) ?? []
    expect({ status, retryable, facts }).toEqual({
      status: `${statusOf[code].status}`,
      retryable: statusOf[code].retryable ? 'yes' : 'no',
      facts: declared.get(code),
    })
    expect(when).not.toBe('')
  })

  test('shows a problem as the server sends it', () => {
    const example = /```json\n([^`]*)```/.exec(read('../../../../../docs/failures.md'))?.[1] ?? ''
    const problem = problemOf(new Failure('token/not-found', { tokenId: tokenId(7n) }))
    expect(JSON.parse(example)).toEqual({ ...problem, facts: { tokenId: '7' } })
  })
})

describe('a problem', () => {
  test('never carries the cause', () => {
    const cause = new Error('secret')
    const facts = { operation: 'eth_call' }
    expect(problemOf(new Failure('ledger/unavailable', facts, { cause }))).toEqual({
      type: 'urn:heirloom:failure:ledger/unavailable',
      title: 'Ledger unavailable',
      status: 503,
      detail: 'The chain did not answer eth_call; try again when it is back.',
      code: 'ledger/unavailable',
      facts,
      retryable: true,
    })
  })

  test('has a status of an error, and retryable only where waiting helps', () => {
    for (const [code, { status, retryable }] of Object.entries(statusOf)) {
      expect(status).toBeGreaterThanOrEqual(400)
      // Another save ends by itself, soon.
      const endsSoon = status === 429 || code === 'name/held'
      if (retryable && !endsSoon) expect(status, code).toBeGreaterThanOrEqual(500)
    }
  })

  test('has the same title whatever the facts', () => {
    const titles = [1n, 2n].map((price) => {
      const facts = { tokenId: tokenId(1n), price: wei(price), offered: wei(9n) }
      return problemOf(new Failure('listing/price-changed', facts)).title
    })
    expect(titles).toEqual(['Listing price changed', 'Listing price changed'])
  })
})
