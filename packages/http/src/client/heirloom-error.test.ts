import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { Failure, type FailureCode, type Failures, failureCodes } from '@heirloom/core'
import fastify from 'fastify'
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { statusOf } from '../api/status-of.ts'
import { failureReply } from '../server/plugins/failure-reply.ts'
import { createClient } from './client.ts'
import {
  type ClientCode,
  type FactsOf,
  type HeirloomCode,
  HeirloomError,
  isHeirloomError,
} from './heirloom-error.ts'

/** The facts of each failure and their types, parsed from the table of failures. */
const declaredFacts = new Map(
  [
    ...readFileSync(
      new URL('../../../core/src/failure-facts.ts', import.meta.url),
      'utf8',
    ).matchAll(/^ {2}'([a-z/-]+)': (?:\{(.*)\}|Record<.*>)$/gm),
  ].map(([, code = '', facts = '']) => [
    code,
    [...facts.matchAll(/(\w+): (\w+)/g)].map(([, name = '', type = '']) => [name, type] as const),
  ]),
)

const big = 2n ** 70n
const samples: Readonly<Record<string, readonly [fact: unknown, sent: unknown]>> = {
  TokenId: [big, `${big}`],
  Wei: [big, `${big}`],
  Dollars: [big, `${big}`],
  Instant: [1.5e12, 1.5e12],
  number: [7, 7],
  string: ['text', 'text'],
  Account: ['0x00', '0x00'],
  Digest: ['0x00', '0x00'],
  Hash: ['0x00', '0x00'],
  Hex: ['0x00', '0x00'],
}

const factsOf = (code: string, which: 0 | 1) =>
  Object.fromEntries(
    (declaredFacts.get(code) ?? []).map(([name, type]) => [name, samples[type]?.[which]]),
  )

test.each(failureCodes)('%s arrives with its facts, status and message', async (code) => {
  const failure = new Failure(code, factsOf(code, 0) as Failures[typeof code])
  const server = fastify().setErrorHandler(failureReply)
  server.get('/api/deployment', () => {
    throw failure
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const error = await createClient({ url, retries: 0 })
    .deployment()
    .catch((it) => it)
  expect(isHeirloomError(error, code)).toBe(true)
  const { message, facts, status, retryable } = error
  const sent = { message: failure.message, facts: factsOf(code, 1), ...statusOf[code] }
  expect({ message, facts, status, retryable }).toEqual(sent)
})

test('every fact has a JSON type', () => {
  type Json = string | number | undefined
  type Odd = {
    [code in FailureCode]: Extract<
      FactsOf<code>[keyof FactsOf<code>],
      Json
    > extends FactsOf<code>[keyof FactsOf<code>]
      ? Exclude<FactsOf<code>[keyof FactsOf<code>], Json>
      : code
  }[FailureCode]
  expectTypeOf<Odd>().toEqualTypeOf<never>()
  expectTypeOf<FactsOf<'listing/price-changed'>>().toEqualTypeOf<{
    readonly tokenId: string
    readonly price: string
    readonly offered: string
    readonly currency?: 'native' | 'dollar'
  }>()
  expectTypeOf<FactsOf<'proof/stale'>['now']>().toEqualTypeOf<number>()
  expectTypeOf<FactsOf<'wallet/short'>['account']>().toEqualTypeOf<`0x${string}`>()
  expectTypeOf<HeirloomCode>().toEqualTypeOf<FailureCode | ClientCode>()
})

test('an error of another copy of the client is recognised by its name', async () => {
  vi.resetModules()
  const copy: typeof import('./heirloom-error.ts') = await import('./heirloom-error.ts')
  expect(copy.HeirloomError).not.toBe(HeirloomError)
  const error = new copy.HeirloomError({ code: 'client/aborted', facts: {}, message: 'x' })
  expect(isHeirloomError(error, 'client/aborted')).toBe(true)
  expect(isHeirloomError(error, 'client/declined')).toBe(false)
})

test('an error that is printed shows no member that it lacks', async () => {
  const bare = new HeirloomError({ code: 'client/aborted', facts: {}, message: 'x' })
  expect(inspect(bare)).not.toContain('undefined')
  expect([bare.status, bare.retryAfter, bare.cause]).toEqual([undefined, undefined, undefined])
  const unreachable = createClient({ url: 'http://127.0.0.1:1', retries: 0 }).deployment()
  const error = await unreachable.catch((it) => it)
  expect(isHeirloomError(error, 'client/unreachable')).toBe(true)
  expect(inspect(error)).not.toContain('undefined')
})

test('a code narrows an error to its facts', () => {
  const error: unknown = new HeirloomError({
    code: 'client/not-verified',
    facts: { tokenId: '1', problem: 'x' },
    message: 'x',
  })
  expect(isHeirloomError(error)).toBe(true)
  expect(isHeirloomError(error, 'client/aborted')).toBe(false)
  expect(isHeirloomError(new Error('x'))).toBe(false)
  if (!isHeirloomError(error, 'client/not-verified')) throw error
  expectTypeOf(error.facts.tokenId).toEqualTypeOf<string>()
  expect(error.facts.tokenId).toBe('1')
  const other: unknown = error
  if (isHeirloomError(other) && other.code === 'listing/price-changed') {
    expectTypeOf(other.facts.price).toEqualTypeOf<string>()
  }
})
