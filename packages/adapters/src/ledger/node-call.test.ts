import { Failure } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { callNode } from './node-call.ts'

const answer = (code: number, message: string) => Object.assign(new Error(message), { code })

const codeOf = (error: Error, data?: '0x') =>
  callNode('eth_call', () => Promise.reject(new Error('wrapped', { cause: error })), data).catch(
    (failure: Failure) => failure.code,
  )

describe('an answer about a call that is simulated', () => {
  test.each([
    ['geth, with no data', 3, 'execution reverted'],
    ['geth, out of gas', -32000, 'gas required exceeds allowance (100000)'],
    ['geth, an opcode', -32000, 'invalid opcode: INVALID'],
    ['the embedded chain, out of gas', -32000, 'Transaction ran out of gas'],
    ['the embedded chain, a jump', -32000, 'InvalidJump'],
    ['the embedded chain, a stack', -32000, 'StackUnderflow'],
    ['anvil', -32603, 'EVM error OutOfGas'],
    ['Nethermind', -32015, 'VM execution error.'],
  ])('of %s concerns that call alone', async (_, code, message) => {
    expect(await codeOf(answer(code, message), '0x')).toBe('transaction/would-fail')
  })

  test.each([
    ['a node that lags', answer(-32000, 'header not found')],
    ['a node that forgets', answer(-32000, 'missing trie node')],
    ['a limit', answer(-32005, 'too many requests')],
    ['a lost connection', new Error('fetch failed')],
  ])('is none of %s', async (_, error) => {
    expect(await codeOf(error, '0x')).toBe('ledger/unavailable')
  })

  test('is none about a read', async () => {
    expect(await codeOf(answer(3, 'execution reverted'))).toBe('ledger/unavailable')
  })

  test('gives way to the failure that a cause has', async () => {
    const known = new Failure('ledger/unavailable', { operation: 'store' })
    expect(await codeOf(known, '0x')).toBe('ledger/unavailable')
  })
})
