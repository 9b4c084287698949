import { Failure } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { openTestChain } from '../test/test-chain.ts'
import { jsonRpc, longestBatch } from './json-rpc.ts'

const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
const response = { jsonrpc: '2.0', id: 1, result: '0x7a69' }
const errorResponse = (code: number, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String) },
})

const handle = async (body: unknown) =>
  (await (await openTestChain(temporaryFolder())).handleRpc(body, 'me')).answer

describe('one call', () => {
  test('is answered under its own id', async () => {
    expect(await handle(call)).toEqual(response)
    expect(await handle({ ...call, id: 'a' })).toEqual({ ...response, id: 'a' })
    expect(await handle({ ...call, id: null })).toEqual({ ...response, id: null })
  })

  test('needs no params', async () => {
    const { params, ...bare } = call
    expect(await handle(bare)).toEqual(response)
  })

  test('without an id is a notification', async () => {
    const { id, ...notification } = call
    expect(await handle(notification)).toBeUndefined()
    expect(await handle({ ...notification, method: 'evm_mine' })).toBeUndefined()
  })

  test.each([
    ['null', null, null],
    ['a number', 1, null],
    ['an older version', { ...call, jsonrpc: '1.0' }, 1],
    ['a method that is not a string', { ...call, method: 1 }, 1],
    ['params that are not a list', { ...call, params: 'bar' }, 1],
    ['an id that is an object', { ...call, id: {} }, null],
  ])('is invalid as %s', async (_, body, id) => {
    expect(await handle(body)).toEqual(errorResponse(-32600, id))
  })

  test('of an unknown method is answered with -32601', async () => {
    expect(await handle({ ...call, method: 'evm_mine' })).toEqual(errorResponse(-32601, 1))
  })

  test('with wrong params is answered with -32602', async () => {
    const getBalance = { ...call, method: 'eth_getBalance' }
    expect(await handle({ ...getBalance, params: ['nobody'] })).toEqual(errorResponse(-32602, 1))
    expect(await handle({ ...getBalance, params: { address: 'nobody' } })).toEqual(
      errorResponse(-32602, 1),
    )
  })
})

describe('a batch', () => {
  test('is answered call by call, without notifications', async () => {
    const { id, ...notification } = call
    const batch = [call, notification, { foo: 'boo' }, 1, { ...call, id: 2 }]
    expect(await handle(batch)).toEqual([
      response,
      errorResponse(-32600),
      errorResponse(-32600),
      { ...response, id: 2 },
    ])
  })

  test('of notifications only has no response', async () => {
    const { id, ...notification } = call
    expect(await handle([notification, notification])).toBeUndefined()
  })

  test('is answered up to a length, and the rest is refused for good', async () => {
    const handler = jsonRpc(async () => 'x'.repeat(longestBatch / 4))
    const { answer, retryAfter } = await handler(Array(6).fill(call), 'me')
    const codes = (answer as readonly { readonly error?: { readonly code: number } }[]).map(
      (it) => it.error?.code,
    )
    const answered = [undefined, undefined, undefined, undefined]
    expect([codes, retryAfter]).toEqual([[...answered, -32005, -32005], undefined])
  })

  test('holds 1 to 100 calls', async () => {
    expect(await handle([])).toEqual(errorResponse(-32600))
    expect(await handle(Array(100).fill(call))).toEqual(Array(100).fill(response))
    expect(await handle(Array(101).fill(call))).toEqual(errorResponse(-32600))
  })
})

describe('an error', () => {
  const responseToError = async (error: unknown) =>
    (await jsonRpc(() => Promise.reject(error))(call, 'me')).answer

  test('of this library keeps its message', async () => {
    const failure = new Failure('ledger/unavailable', { operation: 'eth_chainId' })
    expect(await responseToError(failure)).toMatchObject({
      error: { code: -32603, message: failure.message },
    })
  })

  test('of any other kind has its message hidden', async () => {
    const reply = await responseToError(new Error('cannot open a local file'))
    expect(reply).toMatchObject({ error: { code: -32603 } })
    expect(JSON.stringify(reply)).not.toContain('local file')
  })
})
