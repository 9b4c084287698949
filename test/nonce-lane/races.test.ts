import { type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { balanced } from '../harness/nonce-lane/expect-balanced.ts'
import { laneScene } from '../harness/nonce-lane/lane-harness.ts'
import { mint, until } from '../harness/nonce-lane/lane-fixture.ts'

const scene = laneScene()

/** A call as a chain takes it. */
type Call = { readonly method: string; readonly params?: unknown }

const forward = (call: Call) => scene.stage.client.request(call as never) as Promise<unknown>

const parameter = ({ params }: Call, place: number): unknown =>
  Array.isArray(params) ? params[place] : undefined

const isHead = (call: Call) =>
  call.method === 'eth_getBlockByNumber' && parameter(call, 0) === 'latest'
const isCount = (call: Call) =>
  call.method === 'eth_getTransactionCount' && parameter(call, 1) === 'latest'

test('a receipt from before a reorganisation, with a head from after it, settles nothing', async () => {
  let step: 'before' | 'sent' | 'gone' = 'before'
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const acts: Readonly<Record<string, (call: Call) => Promise<unknown>>> = {
    eth_sendRawTransaction: async (call) => {
      const answer = await forward(call)
      if (step === 'before') step = 'sent'
      return answer
    },
    eth_getBlockByNumber: async (call) => {
      if (step !== 'sent' || !isHead(call)) return forward(call)
      await Promise.all(asked.map(({ promise }) => promise))
      step = 'gone'
      await scene.chain.reorganise(1)
      return forward(call)
    },
    eth_getTransactionCount: async (call) => {
      const answer = await forward(call)
      if (step === 'sent' && isCount(call)) asked[0].resolve()
      return answer
    },
    eth_getTransactionReceipt: async (call) => {
      const answer = await forward(call)
      if (step === 'sent') asked[1].resolve()
      return answer
    },
  }
  const request = (call: Call) => (acts[call.method] ?? forward)(call)
  const ledger = await scene.stage.open({ chain: { request }, reorgDepth: 64 })
  await mint(ledger, 'a')
  await balanced(scene.stage, ['a'])
})

test('a receipt from a block above the head that was seen settles nothing', async () => {
  let step: 'before' | 'looking' | 'mined' | 'gone' = 'before'
  const head = Promise.withResolvers<void>()
  const told = async (call: Call) => {
    if (step === 'mined') {
      step = 'gone'
      await scene.chain.reorganise(1)
    }
    const answer = await forward(call)
    if (step === 'looking') head.resolve()
    return answer
  }
  const counted = async (call: Call) => {
    if (step === 'looking') {
      await head.promise
      await scene.chain.mine({ blocks: 1 })
      step = 'mined'
    }
    return forward(call)
  }
  const request = (call: Call) => {
    if (isHead(call)) return told(call)
    return isCount(call) ? counted(call) : forward(call)
  }
  const ledger = await scene.stage.open({ chain: { request }, reorgDepth: 64 })
  await mint(ledger, 'first')
  // The block to be undone must not be the one that the lane has seen.
  await scene.chain.mine({ blocks: 1 })
  await scene.chain.setAutomine(false)
  const minted = mint(ledger, 'a')
  await until(() => scene.stage.events.filter(({ kind }) => kind === 'signed').length === 2)
  step = 'looking'
  await until(() => step === 'gone')
  await scene.chain.setAutomine(true)
  await minted
  await until(() => scene.told('settled') === 2)
  await balanced(scene.stage, ['first', 'a'])
})

test('a gap below what is open is closed on a chain that makes no blocks meanwhile', async () => {
  const ledger = await scene.stage.open({ stuckAfter: 0 })
  await mint(ledger, 'a')
  await scene.chain.reorganise(1)
  await mint(ledger, 'b')
  await balanced(scene.stage, ['a', 'b'])
})

test('what the node does not mean to mine is replaced, though no block passes it by', async () => {
  let stranded: unknown
  const request = async (call: Call) => {
    if (call.method !== 'eth_sendRawTransaction') return forward(call)
    stranded ??= parameter(call, 0)
    return parameter(call, 0) === stranded ? keccak256(stranded as Hex) : forward(call)
  }
  const ledger = await scene.stage.open({ chain: { request }, stuckAfter: 0 })
  await mint(ledger, 'a')
  expect(scene.stage.events.filter(({ kind }) => kind === 'replaced')).not.toEqual([])
  await balanced(scene.stage, ['a'])
})
