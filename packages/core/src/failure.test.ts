import { describe, expect, test } from 'vitest'
import { Failure, failureCodes, isFailure } from './failure.ts'
import type { FailureCode, Failures } from './failure-facts.ts'
import { dollars, tokenId, wei } from './values/decimal.ts'
import { account, digest, hash } from './values/hex.ts'
import { instant } from './values/time.ts'

const id = tokenId(7n)
const someone = account(`0x${'ab'.repeat(20)}`)
const [price, more] = [wei(100n), wei(200n)]
const now = instant(1_700_000_000_000)
const bytes = `0x${'cd'.repeat(32)}` as const
const problem = 'is not what it must be'
const nothing = {}

/** An example of the facts of each failure; a new code does not compile without one. */
const examples: { readonly [code in FailureCode]: Failures[code] } = {
  'access/copied': { chainId: 1, registry: someone, creator: someone },
  'access/denied': { tokenId: id, account: someone },
  'api-key/call-limit': { name: 'shop', needed: more, limit: price },
  'api-key/day-limit': { name: 'shop', needed: more, spent: price, limit: more },
  'api-key/out-of-scope': { name: 'shop', scope: 'read', needed: 'write' },
  'backup/damaged': { place: '/backup', problem: 'chunk 3 is missing' },
  'backup/superseded': { place: '/backup' },
  'backup/unavailable': { place: '/backup', operation: 'read' },
  'backup/unusable': { place: '/backup', problem: 'it is not what it must be; choose another' },
  'batch/bad-size': { size: 201, limit: 200 },
  'blob/corrupt': { digest: digest(bytes) },
  'blob/not-found': { digest: digest(bytes) },
  'blob/unavailable': { operation: 'put' },
  'bundle/altered': { expected: hash(bytes), actual: hash(bytes) },
  'bundle/malformed': { problem },
  'bundle/unreadable': { problem },
  'card/malformed': { problem },
  'catalogue/behind': { problem: 'it has not read token 28 yet' },
  'catalogue/busy': { retryAfterSeconds: 1 },
  'catalogue/too-costly': { milliseconds: 200, retryAfterSeconds: 1 },
  'catalogue/unavailable': { operation: 'tokens' },
  'config/invalid': { name: 'PORT', problem },
  'credit/none': { account: someone },
  'dollar/missing': nothing,
  'dollar/refused': { reason: 'the account has too little' },
  'evm/not-installed': { platform: 'linux x64', part: '@nomicfoundation/edr-linux-x64-gnu' },
  'excerpt/not-in-memory': { pointer: '/data/notes/9' },
  'folder/copied': { folder: '.heirloom', original: '/data on host' },
  'folder/duplicated': { folder: '.heirloom', original: '/data on host' },
  'folder/in-use': { folder: '.heirloom' },
  'folder/incomplete': { missing: 'agent.key', beside: 'chain.sqlite' },
  'folder/superseded': { folder: '.heirloom' },
  'folder/unusable': { folder: '.heirloom', problem },
  'grant/ended': { tokenId: id },
  'grant/malformed': { problem },
  'grant/not-found': { grant: '0x12', owner: someone },
  'grant/revoked': { grant: '0x12' },
  'grant/too-many': { what: 'this owner', limit: 1000 },
  'grant/unavailable': { operation: 'find' },
  'heir/already-announced': { account: someone, takeoverAt: now },
  'heir/bad-delay': { days: 1, least: 30, most: 3650 },
  'heir/invalid': { heir: someone },
  'heir/not-announced': { account: someone },
  'heir/not-heir': { account: someone, heir: someone, caller: someone },
  'heir/not-silent': { account: someone, silentAt: now },
  'heir/too-early': { account: someone, takeoverAt: now },
  'idempotency/key-reused': nothing,
  'import/malformed': { what: 'The file "a.json"', problem },
  'import/secrets-found': {
    count: 2,
    kinds: 'a GitHub token, a password or key',
    places: '/data/a line 1, /data/b line 3',
  },
  'import/unknown-format': { known: 'json, markdown' },
  'import/unreachable': { what: 'The server http://127.0.0.1:8283', reason: 'ECONNREFUSED' },
  'journal/diverged': { entry: 3, expected: bytes, actual: bytes },
  'json/duplicate-member': { member: 'data' },
  'json/malformed': { at: 5 },
  'json/too-deep': { limit: 1000 },
  'key-service/unavailable': { operation: 'sign' },
  'key-service/wrong-key': { account: someone },
  'keys/changed': nothing,
  'keys/not-here': { memories: 1, keys: 1 },
  'keys/unavailable': nothing,
  'keys/unusable': { problem },
  'ledger/unavailable': { operation: 'buy', reason: 'its disk is full' },
  'lineage/too-deep': { tokenId: id, limit: 64 },
  'listing/copied': { tokenId: id },
  'listing/currency-changed': { tokenId: id },
  'listing/not-for-fork': { tokenId: id },
  'listing/not-for-rent': { tokenId: id },
  'listing/not-for-sale': { tokenId: id },
  'listing/not-owner': { tokenId: id, owner: someone, account: someone },
  'listing/over-max-price': { tokenId: id, price: more, maxPrice: price },
  'listing/price-changed': { tokenId: id, price: more, offered: price },
  'listing/price-raised': { tokenId: id, price: more, seenPrice: price },
  'listing/price-too-high': { price: more, limit: price },
  'listing/royalty-changed': { tokenId: id, royaltyBps: 600, accepted: 500 },
  'listing/two-currencies': nothing,
  'memories/lost': { missing: 1, damaged: 2 },
  'memory/erased': { digest: digest(bytes), erasedAt: now },
  'memory/listed': { tokenId: id },
  'memory/rented': { tokenId: id, renter: someone, expiresAt: now },
  'memory/shared': { tokenId: id, owner: someone },
  'migration/disturbed': { problem: '5 transactions failed' },
  'name/held': { name: 'ada', until: now },
  'name/malformed': { problem: 'is empty' },
  'name/moved': { name: 'ada', tokenId: id, version: 3 },
  'name/no-owner': nothing,
  'name/not-found': { name: 'ada' },
  'name/taken': { name: 'ada' },
  'name/unavailable': { operation: 'hold' },
  'order/closed': { orderHash: hash(bytes), state: 'settled' },
  'order/expired': { orderHash: hash(bytes), deadline: now },
  'order/foreign-asset': { asset: someone, dollar: someone },
  'order/refund-failed': { orderHash: hash(bytes), asset: someone, amount: 5n },
  'order/refund-too-early': { orderHash: hash(bytes), refundTo: someone, account: someone },
  'order/short': { orderHash: hash(bytes), price: dollars(9n), paid: dollars(5n) },
  'part/malformed': { what: 'cursor', problem },
  'part/not-found': { pointer: '/data/x', problem: '/data has no such member' },
  'part/too-costly': { problem },
  'payment/incomplete': { tokenId: id, missing: 'recipient, durationDays' },
  'payment/malformed': { problem },
  'payment/refused': { reason: 'insufficient_funds', problem },
  'payment/required': { tokenId: id, price: dollars(100n), asset: someone, payTo: someone },
  'profile/malformed': { problem },
  'profile/no-token': { account: someone },
  'profile/too-many': { what: 'this client', limit: 1000 },
  'profile/unavailable': { operation: 'find' },
  'proof/malformed': { header: 'x-wallet-address' },
  'proof/missing': { header: 'x-wallet-address' },
  'proof/not-bound': { account: someone },
  'proof/not-signed': { account: someone },
  'proof/replaced': { account: someone, signedAt: now },
  'proof/stale': { signedAt: now, now, windowSeconds: 120 },
  'rating/malformed': { problem },
  'rating/not-paid': { tokenId: id, account: someone },
  'rating/unavailable': { operation: 'add' },
  'recipient/invalid': { recipient: someone },
  'relay/bad-deadline': { deadline: 1_800_000_000, longest: 3600 },
  'relay/day-limit': { whose: 'account', needed: wei(3n), spent: wei(2n), limit: wei(4n) },
  'relay/failed': { reason: 'AccountNotSilent' },
  'relay/not-allowed': { problem },
  'relay/not-signed': { account: someone },
  'relay/too-costly': { needed: wei(3n), limit: wei(2n) },
  'relay/too-much-gas': { gas: '16000000', limit: '500000' },
  'relay/underpriced': { price: '1', least: '10000' },
  'rental/bad-duration': { days: 366, limit: 365 },
  'rental/too-long': { tokenId: id, expiresAt: now, limit: now },
  'request/foreign-host': { host: 'example.com' },
  'request/foreign-origin': { origin: 'https://example.com' },
  'request/malformed': { where: 'The body', problem },
  'request/not-authorized': { scheme: 'Bearer' },
  'request/too-large': { limit: 1 },
  'request/too-many': { what: 'requests a minute', limit: 600, retryAfterSeconds: 12 },
  'request/wrong-type': { expected: 'application/json' },
  'route/not-found': { method: 'GET', path: '/' },
  'route/wrong-method': { method: 'PUT', path: '/', allowed: 'GET' },
  'royalty/bad-share': { royaltyBps: 10_001, limit: 10_000 },
  'royalty/zero': nothing,
  'seal/no-room': { limit: 1000, retryAfterSeconds: 60 },
  'seal/not-offered': { setting: 'PUBLIC_URL' },
  'seal/too-many': { what: 'unminted seals of this wallet', limit: 10, retryAfterSeconds: 60 },
  'seal/wrong-body': { signed: bytes, actual: bytes },
  'service/busy': { limit: 1000 },
  'service/part-silent': { part: 'store' },
  'service/stopping': nothing,
  'service/unexpected': nothing,
  'store/unavailable': { reason: 'ECONNREFUSED' },
  'token/not-found': { tokenId: id },
  'token/not-moved': { tokenId: id, chainId: 31337, registry: someone },
  'token/not-owner': { tokenId: id, account: someone },
  'transaction/cancelled': { txHash: bytes, needed: more, limit: price },
  'transaction/gas-too-low': { gasLeft: 87_000, needed: 140_000 },
  'transaction/reverted': { txHash: bytes },
  'transaction/unconfirmed': { txHash: bytes },
  'transaction/unknown': {},
  'transaction/would-fail': { reason: 'execution reverted' },
  'value/invalid': { kind: 'token id', problem },
  'wallet/call-limit': { needed: more, limit: price },
  'wallet/day-limit': { needed: more, spent: price, limit: more },
  'wallet/shared': { account: someone, txHash: hash(bytes) },
  'wallet/short': { account: someone, balance: price, needed: more },
  'webhook/not-found': { id: 'e5a0' },
  'webhook/too-many': { limit: 100 },
  'webhook/unavailable': { operation: 'add one' },
}

const secret = 'the secret of a foreign error'
const cause = new Error(secret)

function failureOf<code extends FailureCode>(code: code): Failure<code> {
  return new Failure(code, examples[code], { cause })
}

/** The failures after which there is nothing to do. */
const withoutNextStep: readonly FailureCode[] = ['credit/none']

describe('failureCodes', () => {
  test('are complete, in alphabetical order and of the form noun/problem', () => {
    expect(failureCodes).toEqual(Object.keys(examples).toSorted())
    for (const code of failureCodes) expect(code).toMatch(/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/)
  })
})

describe.each(failureCodes)('%s', (code) => {
  const failure = failureOf(code)

  test('has a message of one sentence with all facts filled in', () => {
    expect(failure.message).toMatch(/^[A-Z0-9.].*\.$/s)
    expect(failure.message).not.toMatch(/undefined|null|NaN|\[object|\$\{|\b1 seconds/)
    expect(failure.message.length).toBeLessThan(250)
  })

  test('says what to do next', () => {
    const { message } = failure
    const isStep = /; |, so | must |: is not what/.test(message)
    expect(isStep || withoutNextStep.includes(code), message).toBe(true)
    expect(isStep && withoutNextStep.includes(code), message).toBe(false)
  })

  test('does not reveal the foreign error', () => {
    expect(failure.cause).toBe(cause)
    const { message, facts } = failure
    const shown = JSON.stringify({ code, message, facts }, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(shown).not.toContain(secret)
  })

  test('is identified by its code', () => {
    expect(failure).toBeInstanceOf(Error)
    expect(failure.name).toBe('Failure')
    expect(failure.facts).toBe(examples[code])
    expect(isFailure(failure) && isFailure(failure, code)).toBe(true)
    const others = failureCodes.filter((other) => isFailure(failure, other))
    expect(others).toEqual([code])
  })
})

describe('isFailure', () => {
  test('recognises a failure of another copy of this package', () => {
    const members = { name: 'Failure', code: 'token/not-found', facts: { tokenId: id } }
    const copied = Object.assign(new Error('gone'), members)
    expect([isFailure(copied), isFailure(copied, 'token/not-found')]).toEqual([true, true])
    expect(isFailure(copied, 'blob/not-found')).toBe(false)
    for (const other of [
      { name: undefined },
      { code: undefined },
      { code: 'ENOENT' },
      { facts: undefined },
      { facts: null },
      { facts: 'token 1' },
    ]) {
      const error = Object.assign(new Error('gone'), members, other)
      expect([isFailure(error), isFailure(error, 'token/not-found')]).toEqual([false, false])
    }
  })

  test.each([new Error('token/not-found'), undefined, null, 'text', { code: 'token/not-found' }])(
    'returns false for %s',
    (thrown) => {
      expect(isFailure(thrown)).toBe(false)
    },
  )
})

test('a proof out of time says by how much, and on which side', () => {
  const at = 1_700_000_000_000
  const sayAt = (signedAt: number) =>
    new Failure('proof/stale', { signedAt, now: instant(at), windowSeconds: 120 }).message
  expect(sayAt(at - 600_500)).toContain('dated 601 seconds behind the clock of the server')
  expect(sayAt(at + 120_400)).toContain('dated 121 seconds ahead of')
  expect(sayAt(at + 3_600_000)).toContain('3600 seconds ahead of the clock of the server, and 120')
})

test('a malformed header of a proof says which form it must have', () => {
  for (const [header, form] of [
    ['x-wallet-address', 'an address with its checksum (EIP-55)'],
    ['x-wallet-timestamp', 'whole seconds'],
    ['x-wallet-signature', 'a signature'],
  ] as const) {
    expect(new Failure('proof/malformed', { header }).message).toContain(form)
  }
})

test('JSON that is wrong from its first byte on is named by what comes before a brace', () => {
  const say = (at: number) => new Failure('json/malformed', { at }).message
  expect(say(0)).toContain('without a byte order mark')
  expect(say(7)).toContain('from byte 7 on')
})
