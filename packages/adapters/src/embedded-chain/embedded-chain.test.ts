import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@heirloom/core'
import { type Hex, hexToNumber, pad, parseEther, zeroAddress } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { embeddedChain } from './embedded-chain.ts'
import { journalFile } from './journal.ts'
import type { ForeignCodeOf } from './public-rpc/bounded-call.ts'
import { history, receiptOf, send } from './test/requests.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { noon, openTestChain } from './test/test-chain.ts'
import { accounts, creationCode, keyOf, signTransaction, timekeeper } from './test/transactions.ts'

const agent = '0x00000000000000000000000000000000000a9e47'
const second = 1000

const balanceOf = (address: string) => ({ method: 'eth_getBalance', params: [address, 'latest'] })

test('has the same history when it is opened again', async () => {
  const folder = temporaryFolder()
  const first = await openTestChain(folder)
  const hash = await send(first, await signTransaction({ nonce: 0 }))
  const before = await history(first)
  await first.close()

  const again = await openTestChain(folder, () => noon + 3600 * second)
  expect(await history(again)).toEqual(before)
  expect(await receiptOf(again, hash)).toMatchObject({ status: '0x1', blockNumber: '0x1' })
})

test('says of a block that was just mined what it says of it when it is opened again', async () => {
  const folder = temporaryFolder()
  const first = await openTestChain(folder)
  const blockAt = (at: string) => ({ method: 'eth_getBlockByNumber', params: [at, false] })
  const seen: (readonly [hash: Hex, block: unknown, receipt: unknown])[] = []
  for (const nonce of [0, 1, 2]) {
    const hash = await send(first, await signTransaction({ nonce }))
    seen.push([hash, await first.request(blockAt('latest')), await receiptOf(first, hash)])
  }
  await first.close()

  const again = await openTestChain(folder)
  for (const [index, [hash, block, receipt]] of seen.entries()) {
    expect(block).toEqual(await again.request(blockAt(`0x${index + 1}`)))
    expect(receipt).toEqual(await receiptOf(again, hash))
  }
  await again.close()
})

test('funds the agent and the test accounts', async () => {
  const now = () => noon
  const chain = await embeddedChain({ folder: temporaryFolder(), now, funded: [agent] })
  for (const address of [agent, ...accounts.map((it) => it.address)])
    expect(await chain.request(balanceOf(address))).toBe(`0x${parseEther('10000').toString(16)}`)
  await chain.close()
})

describe('a new agent on an existing chain', () => {
  test('is refused while it has no funds', async () => {
    const folder = temporaryFolder()
    await (await openTestChain(folder)).close()
    const reopened = embeddedChain({ folder, now: () => noon, funded: [agent] })
    await expect(reopened).rejects.toMatchObject({
      code: 'folder/unusable',
      facts: { folder, problem: expect.stringContaining(agent) },
    })
  })

  test('is accepted once it has received funds', async () => {
    const folder = temporaryFolder()
    const chain = await openTestChain(folder)
    await send(chain, await signTransaction({ nonce: 0, to: agent }))
    await chain.close()
    const reopened = await embeddedChain({ folder, now: () => noon, funded: [agent] })
    expect(await reopened.request(balanceOf(agent))).toBe('0x1')
    await reopened.close()
  })
})

describe('the time of a block', () => {
  const blockTime = async (chain: Awaited<ReturnType<typeof openTestChain>>) => {
    const params = ['latest', false]
    const block = await chain.request({ method: 'eth_getBlockByNumber', params })
    return Number((block as { timestamp: string }).timestamp)
  }

  test('is the time of its transaction, and never before its parent', async () => {
    let now = noon
    const chain = await openTestChain(temporaryFolder(), () => now)
    const times: number[] = []
    for (const [nonce, delay] of [60, 60.9, 30, 61].entries()) {
      now = noon + delay * second
      await send(chain, await signTransaction({ nonce }))
      times.push((await blockTime(chain)) - noon / second)
    }
    expect(times).toEqual([60, 60, 60, 61])
  })

  test('is what a call on the pending block sees', async () => {
    const folder = temporaryFolder()
    const first = await openTestChain(folder)
    const raw = await signTransaction({ nonce: 0, to: undefined, data: creationCode(timekeeper) })
    const { contractAddress: to } = await receiptOf(first, await send(first, raw))
    await first.close()

    const chain = await openTestChain(folder, () => noon + 3600 * second)
    const timeAt = async (tag: string) =>
      Number(await chain.request({ method: 'eth_call', params: [{ to }, tag] })) - noon / second
    expect(await timeAt('latest')).toBe(0)
    expect(await timeAt('pending')).toBe(3600)
    expect(await timeAt('latest')).toBe(0)
  })
})

describe('a transaction', () => {
  test('is refused when its nonce is ahead, and not queued', async () => {
    const chain = await openTestChain(temporaryFolder())
    await expect(send(chain, await signTransaction({ nonce: 1 }))).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/nonce too high/i),
    })
    await send(chain, await signTransaction({ nonce: 0 }))
    expect(await history(chain)).toHaveLength(2)
  })

  test('is refused when it is already known', async () => {
    const chain = await openTestChain(temporaryFolder())
    const raw = await signTransaction({ nonce: 0 })
    await send(chain, raw)
    await expect(send(chain, raw)).rejects.toMatchObject({ code: -32000, message: 'already known' })
  })

  test.each([['0x'], ['0x1'], ['0xzz'], ['f86b'], [5], [undefined]])(
    'is refused when it is not hex: %j',
    async (raw) => {
      const chain = await openTestChain(temporaryFolder())
      const sent = chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
      await expect(sent).rejects.toMatchObject({ code: -32602 })
    },
  )

  test('is mined in nonce order among two hundred sent at once', async () => {
    const folder = temporaryFolder()
    const chain = await openTestChain(folder)
    const nonces = Array.from({ length: 200 }, (_, nonce) => nonce)
    const raws = await Promise.all(nonces.map((nonce) => signTransaction({ nonce })))
    const hashes = await Promise.all(raws.map((raw) => send(chain, raw)))
    const receipts = await Promise.all(hashes.map((hash) => receiptOf(chain, hash)))
    expect(receipts.map((it) => hexToNumber(it.blockNumber) - 1)).toEqual(nonces)
    const before = await history(chain)
    await chain.close()
    expect(await history(await openTestChain(folder))).toEqual(before)
  })
})

/**
 * Lets strangers call on until the end. Counts their calls beside each of some transactions, and what a
 * start would replay.
 */
async function callsBeside(options: {
  readonly transactions: number
  readonly strangers: number
  readonly block?: string
  readonly code?: ReturnType<ForeignCodeOf>
}) {
  const { transactions, strangers, block = 'latest', code = {} } = options
  const folder = temporaryFolder()
  const parts = { folder, now: () => noon, funded: [] }
  const chain = await embeddedChain({ ...parts, foreignCodeOf: () => code })
  onTestFinished(() => chain.close())
  const loop = { method: 'eth_call', params: [{ data: '0x5b5f56' }, block] }
  const raws = await Promise.all(
    Array.from({ length: transactions }, (_, nonce) => signTransaction({ nonce })),
  )
  let [isOver, calls] = [false, 0]
  const callOn = async (): Promise<void> => {
    await expect(chain.request(loop)).rejects.toThrow('gas')
    calls += 1
    if (!isOver) await callOn()
  }
  const ended = Promise.all(Array.from({ length: strangers }, callOn))
  const beside: number[] = []
  for (const raw of raws) {
    const before = calls
    await send(chain, raw)
    beside.push(calls - before)
  }
  isOver = true
  await ended
  await chain.close()
  const journal = new DatabaseSync(join(folder, journalFile), { readOnly: true })
  const entries = journal.prepare('SELECT number FROM entry').all()
  journal.close()
  return { beside, calls, replayed: entries.length }
}

// Those of the next block, and those whose bound depends on the state, wait among the transactions.
test.each([
  ['calls', 'latest', {}],
  ['calls of the next block', 'pending', {}],
  ['calls bounded by the state', 'latest', { read: async () => ({}) }],
])(
  'between two transactions run two %s of strangers at most, however many strangers call on',
  async (_calls, block, code) => {
    const { beside, calls } = await callsBeside({ transactions: 8, strangers: 8, block, code })
    expect(Math.max(...beside)).toBeLessThanOrEqual(2)
    // Nor do the strangers wait for ever.
    expect(calls).toBeGreaterThanOrEqual(8)
  },
)

test('a start replays transactions alone, however much strangers have called', async () => {
  const { calls, replayed } = await callsBeside({ transactions: 2, strangers: 4 })
  expect(calls).toBeGreaterThanOrEqual(4)
  expect(replayed).toBe(2)
})

describe('closing', () => {
  test('waits for transactions sent before it', async () => {
    const folder = temporaryFolder()
    const chain = await openTestChain(folder)
    const raws = await Promise.all([0, 1, 2].map((nonce) => signTransaction({ nonce })))
    const sent = raws.map((raw) => send(chain, raw))
    await chain.close()
    expect(await Promise.all(sent)).toHaveLength(3)
    expect(await history(await openTestChain(folder))).toHaveLength(4)
  })

  test('refuses requests after it', async () => {
    const chain = await openTestChain(temporaryFolder())
    await chain.close()
    const late = chain.request({ method: 'eth_blockNumber' })
    await expect(late).rejects.toEqual(
      new Failure('ledger/unavailable', { operation: 'eth_blockNumber' }),
    )
  })
})

describe('a folder', () => {
  test('serves one chain at a time', async () => {
    const folder = temporaryFolder()
    const first = await openTestChain(folder)
    await expect(openTestChain(folder)).rejects.toMatchObject({
      code: 'folder/in-use',
      facts: { folder },
    })
    await first.close()
    await expect(openTestChain(folder)).resolves.toBeDefined()
  })

  test('that is missing is refused', async () => {
    const folder = `${temporaryFolder()}/missing`
    await expect(openTestChain(folder)).rejects.toMatchObject({ code: 'folder/unusable' })
  })
})

test('offers nothing that moves time, edits state, mines or signs', async () => {
  const chain = await openTestChain(temporaryFolder())
  const refused = [
    'anvil_setBalance',
    'debug_traceTransaction',
    'eth_pendingTransactions',
    'eth_sendTransaction',
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData_v4',
    'eth_subscribe',
    'evm_increaseTime',
    'evm_mine',
    'evm_revert',
    'evm_setNextBlockTimestamp',
    'evm_snapshot',
    'hardhat_reset',
    'hardhat_setBalance',
    'hardhat_setCode',
    'personal_sign',
    'toString',
    '__proto__',
  ]
  for (const method of refused)
    await expect(chain.request({ method }), method).rejects.toMatchObject({ code: -32601 })
})

test('has no default account, even with a key', async () => {
  const chain = await openTestChain(temporaryFolder(), undefined, keyOf(0))
  expect(await chain.request({ method: 'eth_accounts' })).toEqual([])
  for (const method of ['eth_sendTransaction', 'eth_sign', 'personal_sign', 'eth_signTypedData_v4'])
    await expect(chain.request({ method }), method).rejects.toMatchObject({ code: -32601 })
  const caller = '0x335f5260205ff3'
  const { address } = accounts[1]
  for (const [call, seen] of [
    [{ data: caller }, zeroAddress],
    [{ from: address, data: caller }, address],
  ] as const) {
    const params = [call, 'latest']
    const answer = await chain.request({ method: 'eth_call', params })
    expect(answer).toBe(pad(seen.toLowerCase() as Hex))
    const pending = [call, 'pending']
    expect(await chain.request({ method: 'eth_call', params: pending })).toBe(answer)
  }
})

test('accepts only an object as a call', async () => {
  const chain = await openTestChain(temporaryFolder(), undefined, keyOf(0))
  for (const call of [null, [], 'call', 7, undefined]) {
    const request = { method: 'eth_call', params: call === undefined ? [] : [call, 'latest'] }
    await expect(chain.request(request), `${call}`).rejects.toMatchObject({ code: -32602 })
  }
})
