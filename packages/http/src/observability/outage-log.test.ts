import { Failure } from '@heirloom/core'
import fc from 'fast-check'
import { HttpRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { type OutageLog, outageLog } from './outage-log.ts'

type Line = { readonly message: string; readonly fields: Record<string, unknown> }

function openLog() {
  let time = 0
  const lines: Line[] = []
  const write = (fields: Record<string, unknown>, message: string) =>
    void lines.push({ message, fields })
  const log = { warn: write, info: write } as never
  const outages = outageLog({ logger: () => log, now: () => time })
  const messages = () => lines.map(({ message }) => message)
  return { outages, lines, messages, pass: (milliseconds: number) => (time += milliseconds) }
}

const unanswered = new HttpRequestError({ url: 'http://node.example', details: 'refused' })
const dead = { answered: false, error: unanswered } as const
const alive = { answered: true } as const
const ofNode = new Failure('ledger/unavailable', { operation: 'eth_call' }, { cause: unanswered })
const ofStore = new Failure('store/unavailable', { reason: 'ECONNREFUSED' })

const [down, back] = [
  'the node does not answer; this is logged again once it does',
  'the node answers again',
]

describe('a node', () => {
  test('that falls silent is logged once, and once when it is back', () => {
    const { outages, lines, messages, pass } = openLog()
    outages.observeNode(alive)
    for (let at = 0; at < 1000; at++) {
      outages.observeNode(dead)
      outages.trouble(ofNode, 'the chain or the job store failed')
      outages.trouble(unanswered, 'the catalogue cannot read further')
      expect(outages.isNew(ofNode, 'failed')).toBe(false)
      pass(100)
    }
    expect(messages()).toEqual([down])
    pass(5000)
    outages.observeNode(alive)
    outages.observeNode(alive)
    expect(messages()).toEqual([down, back])
    expect(lines[1]?.fields).toEqual({ seconds: 105, failed: 1000 })
  })

  const steps = fc.array(fc.tuple(fc.constantFrom(dead, alive), fc.nat(3000)), { maxLength: 300 })

  test('that comes and goes writes two lines in five seconds at most, in turns', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { outages, messages, pass } = openLog()
        let time = 0
        for (const [response, wait] of all) {
          outages.observeNode(response)
          time += pass(wait) - time
        }
        expect(messages().length).toBeLessThanOrEqual(2 + (2 * time) / 5000)
        expect(messages()).toEqual(messages().map((_, at) => (at % 2 === 0 ? down : back)))
      }),
    )
  })

  test('that is down hides no trouble of the database', () => {
    const { outages, messages } = openLog()
    outages.observeNode(dead)
    outages.trouble(ofStore, 'the chain or the job store failed')
    expect(outages.isNew(new Failure('service/unexpected', {}), 'failed')).toBe(true)
    expect(messages()).toEqual([down, 'the chain or the job store failed'])
  })

  test('is logged as down only where there is a log', () => {
    const { outages: silent } = { outages: outageLog({ logger: () => undefined }) }
    silent.observeNode(dead)
    expect(silent.isNew(ofNode, 'failed')).toBe(true)
  })
})

describe('a trouble that repeats', () => {
  const report = (outages: OutageLog) => outages.trouble(ofStore, 'events cannot be delivered')

  test('is logged once a minute, with the number of the others', () => {
    const { outages, lines, pass } = openLog()
    for (let second = 0; second < 150; second++) {
      report(outages)
      pass(1000)
    }
    expect(lines.map(({ fields }) => fields.repeated)).toEqual([undefined, 59, 59])
  })

  test('hides no other one', () => {
    const { outages, lines } = openLog()
    report(outages)
    outages.trouble(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'again')
    outages.trouble(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), 'again')
    expect(lines).toHaveLength(3)
  })

  test('of endless kinds needs no endless memory', () => {
    const { outages, lines } = openLog()
    for (let at = 0; at < 1000; at++) {
      outages.trouble(Object.assign(new Error(), { code: `E${at}` }), 'again')
    }
    expect(lines).toHaveLength(1000)
  })
})
