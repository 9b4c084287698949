import { Failure } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { jsonRpc } from './json-rpc.ts'
import { opened } from '../test/test-chain.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'

const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
const answer = { jsonrpc: '2.0', id: 1, result: '0x7a69' }
const refusal = (code: number, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String) },
})

const handled = async (body: unknown) =>
  (await (await opened(temporaryFolder())).handleRpc(body, 'me')).answer

describe('one call', () => {
  test('is answered under its own id', async () => {
    expect(await handled(call)).toEqual(answer)
    expect(await handled({ ...call, id: 'a' })).toEqual({ ...answer, id: 'a' })
    expect(await handled({ ...call, id: null })).toEqual({ ...answer, id: null })
  })

  test('needs no params', async () => {
    const { params, ...bare } = call
    expect(await handled(bare)).toEqual(answer)
  })

  test('without an id is a notification', async () => {
    const { id, ...notification } = call
    expect(await handled(notification)).toBeUndefined()
    expect(await handled({ ...notification, method: 'evm_mine' })).toBeUndefined()
  })

  test.each([
    ['null', null, null],
    ['a number', 1, null],
    ['an older version', { ...call, jsonrpc: '1.0' }, 1],
    ['a method that is no text', { ...call, method: 1 }, 1],
    ['params that are no list', { ...call, params: 'bar' }, 1],
    ['an id that is an object', { ...call, id: {} }, null],
  ])('is invalid as %s', async (_, body, id) => {
    expect(await handled(body)).toEqual(refusal(-32600, id))
  })

  test('of an unknown method is answered with -32601', async () => {
    expect(await handled({ ...call, method: 'evm_mine' })).toEqual(refusal(-32601, 1))
  })

  test('with wrong params is answered with -32602', async () => {
    const asked = { ...call, method: 'eth_getBalance' }
    expect(await handled({ ...asked, params: ['nobody'] })).toEqual(refusal(-32602, 1))
    expect(await handled({ ...asked, params: { address: 'nobody' } })).toEqual(refusal(-32602, 1))
  })
})

describe('a batch', () => {
  test('is answered call by call, notifications left out', async () => {
    const { id, ...notification } = call
    const batch = [call, notification, { foo: 'boo' }, 1, { ...call, id: 2 }]
    expect(await handled(batch)).toEqual([
      answer,
      refusal(-32600),
      refusal(-32600),
      { ...answer, id: 2 },
    ])
  })

  test('of notifications alone is not answered', async () => {
    const { id, ...notification } = call
    expect(await handled([notification, notification])).toBeUndefined()
  })

  test('holds 1 to 100 calls', async () => {
    expect(await handled([])).toEqual(refusal(-32600))
    expect(await handled(Array(100).fill(call))).toEqual(Array(100).fill(answer))
    expect(await handled(Array(101).fill(call))).toEqual(refusal(-32600))
  })
})

describe('an error', () => {
  const failing = async (error: unknown) =>
    (await jsonRpc(() => Promise.reject(error))(call, 'me')).answer

  test('of this library keeps its sentence', async () => {
    const failure = new Failure('ledger/unavailable', { operation: 'eth_chainId' })
    expect(await failing(failure)).toMatchObject({
      error: { code: -32603, message: failure.message },
    })
  })

  test('of anything else keeps its message to itself', async () => {
    const reply = await failing(new Error('cannot open a local file'))
    expect(reply).toMatchObject({ error: { code: -32603 } })
    expect(JSON.stringify(reply)).not.toContain('local file')
  })
})
