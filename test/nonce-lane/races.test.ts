import { type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { expectBalanced } from '../harness/nonce-lane/expect-balanced.ts'
import { mint, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

/** A JSON-RPC request. */
type Request = { readonly method: string; readonly params?: unknown }

const forward = (request: Request) =>
  harness.fixture.client.request(request as never) as Promise<unknown>

const parameter = ({ params }: Request, index: number): unknown =>
  Array.isArray(params) ? params[index] : undefined

const isHead = (request: Request) =>
  request.method === 'eth_getBlockByNumber' && parameter(request, 0) === 'latest'
const isCount = (request: Request) =>
  request.method === 'eth_getTransactionCount' && parameter(request, 1) === 'latest'

test('a receipt from before a reorganisation, with a head from after it, settles nothing', async () => {
  let step: 'before' | 'sent' | 'gone' = 'before'
  const count = Promise.withResolvers<void>()
  const receipt = Promise.withResolvers<void>()
  const handlers: Readonly<Record<string, (request: Request) => Promise<unknown>>> = {
    eth_sendRawTransaction: async (request) => {
      const response = await forward(request)
      if (step === 'before') step = 'sent'
      return response
    },
    eth_getBlockByNumber: async (request) => {
      if (step !== 'sent' || !isHead(request)) return forward(request)
      await Promise.all([count.promise, receipt.promise])
      step = 'gone'
      await harness.chain.reorganise(1)
      return forward(request)
    },
    eth_getTransactionCount: async (request) => {
      const response = await forward(request)
      if (step === 'sent' && isCount(request)) count.resolve()
      return response
    },
    eth_getTransactionReceipt: async (request) => {
      const response = await forward(request)
      if (step === 'sent') receipt.resolve()
      return response
    },
  }
  const chain = { request: (request: Request) => (handlers[request.method] ?? forward)(request) }
  const ledger = await harness.fixture.open({ chain, reorgDepth: 64 })
  await mint(ledger, 'a')
  await expectBalanced(harness.fixture, ['a'])
})

test('a receipt from a block above the last head settles nothing', async () => {
  let step: 'before' | 'reading' | 'read' | 'mined' | 'gone' = 'before'
  const readHead = async (request: Request) => {
    if (step === 'mined') {
      await harness.chain.reorganise(1)
      step = 'gone'
    }
    const response = await forward(request)
    if (step === 'reading') step = 'read'
    return response
  }
  const readCount = async (request: Request) => {
    if (step === 'read') {
      await harness.chain.mine({ blocks: 1 })
      step = 'mined'
    }
    return forward(request)
  }
  let turn: Promise<unknown> = Promise.resolve()
  /** Answers one request after another, so that no head is read while a block is mined. */
  const inTurn = (answer: typeof forward, request: Request) => {
    const response = turn.then(() => answer(request))
    turn = response.catch(() => undefined)
    return response
  }
  const chain = {
    request: (request: Request) => {
      if (isHead(request)) return inTurn(readHead, request)
      return isCount(request) ? inTurn(readCount, request) : forward(request)
    },
  }
  const ledger = await harness.fixture.open({ chain, reorgDepth: 64 })
  await mint(ledger, 'first')
  // The reorganisation must not undo the block that the lane has seen.
  await harness.chain.mine({ blocks: 1 })
  await harness.chain.setAutomine(false)
  const minted = mint(ledger, 'a')
  await until(() => harness.countEvents('signed') === 2)
  step = 'reading'
  await until(() => step === 'gone')
  await harness.chain.setAutomine(true)
  await minted
  await until(() => harness.countEvents('settled') === 2)
  await expectBalanced(harness.fixture, ['first', 'a'])
})

test('a gap below the open slots is closed while the chain makes no blocks', async () => {
  const ledger = await harness.fixture.open({ stuckAfter: 0 })
  await mint(ledger, 'a')
  await harness.chain.reorganise(1)
  await mint(ledger, 'b')
  await expectBalanced(harness.fixture, ['a', 'b'])
})

test('a transaction that the node dropped is replaced while the chain makes no blocks', async () => {
  let dropped: unknown
  const chain = {
    request: async (request: Request) => {
      if (request.method !== 'eth_sendRawTransaction') return forward(request)
      dropped ??= parameter(request, 0)
      return parameter(request, 0) === dropped ? keccak256(dropped as Hex) : forward(request)
    },
  }
  const ledger = await harness.fixture.open({ chain, stuckAfter: 0 })
  await mint(ledger, 'a')
  expect(harness.countEvents('replaced')).toBeGreaterThan(0)
  await expectBalanced(harness.fixture, ['a'])
})
