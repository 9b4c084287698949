import { type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { budget } from '../../platform/budget.ts'
import { publicLimits } from '../../platform/public-limits.ts'
import { gasBounds } from '../gas-bounds.ts'
import { receiptOf, send } from '../test/requests.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { noon, openTestChain } from '../test/test-chain.ts'
import { accounts, creationCode, signTransaction } from '../test/transactions.ts'
import type { ForeignCodeOf } from './bounded-call.ts'
import { longestRange } from './bounded-logs.ts'
import { fairQueue } from './fair-queue.ts'
import { publicRpc } from './public-rpc.ts'

const limits = { gas: 100_000n, gasPerDay: 1_000_000n }
const loop: Hex = '0x5b5f56'
/** Code that returns its remaining gas. */
const meter = '0x5a5f5260205ff3'

async function open(bounds = limits, foreignCodeOf: ForeignCodeOf = () => ({})) {
  const chain = await openTestChain(temporaryFolder())
  let time = noon
  const { request } = chain
  const requestPublic = publicRpc({
    request,
    now: () => time,
    limits: bounds,
    alone: chain.alone,
    bounds: gasBounds({ evm: { request }, foreignCodeOf, gas: bounds.gas }),
  })
  return {
    chain,
    requestPublic,
    passTime: (seconds: number) => {
      time += seconds * 1000
    },
    sendRaw: (raw: Hex, client = 'me') =>
      requestPublic({ method: 'eth_sendRawTransaction', params: [raw] }, client),
  }
}

/** The parts of a handler that executes nothing. */
const withoutBounds: Pick<publicRpc.Parts, 'bounds' | 'alone'> = {
  bounds: { most: async () => undefined },
  alone: (task) => task(),
}

describe('a call of an outside client', () => {
  test.each([{}, { gas: '0xffffff' }, { gas: '0x186a0' }])(
    '%j has its gas capped',
    async (call) => {
      const { requestPublic } = await open()
      const params = [{ ...call, data: meter }, 'latest']
      const left = BigInt((await requestPublic({ method: 'eth_call', params }, 'me')) as Hex)
      expect(left).toBeLessThan(limits.gas)
      expect(left).toBeGreaterThan(0n)
    },
  )

  test.each(['eth_call', 'eth_estimateGas'])(
    '%s that never ends reports the cap',
    async (method) => {
      const { requestPublic } = await open()
      await expect(requestPublic({ method, params: [{ data: loop }] }, 'me')).rejects.toMatchObject(
        {
          message: expect.stringMatching(
            /ran out of gas; a call through \/rpc .* at most 1000\d\d gas/,
          ),
        },
      )
    },
  )

  test('has no cap where only own code runs, unless the state is overridden', async () => {
    const { requestPublic } = await open(limits, ({ data }) => (data === meter ? undefined : {}))
    const left = async (...more: readonly unknown[]) =>
      BigInt(
        (await requestPublic(
          { method: 'eth_call', params: [{ data: meter }, ...more] },
          'me',
        )) as Hex,
      )
    expect(await left('latest')).toBeGreaterThan(16_000_000n)
    expect(await left('latest', {})).toBeLessThan(limits.gas)
  })

  test('is estimated as it is for the server', async () => {
    const { requestPublic, chain } = await open()
    const request = { method: 'eth_estimateGas', params: [{ to: accounts[1].address }] }
    expect(await requestPublic(request, 'me')).toBe('0x5208')
    const creation = { method: 'eth_estimateGas', params: [{ data: creationCode('0x5f5fa000') }] }
    const exact = BigInt((await chain.request(creation)) as Hex)
    const estimate = BigInt((await requestPublic(creation, 'me')) as Hex)
    expect(estimate).toBeGreaterThanOrEqual(exact)
    expect(estimate).toBeLessThan((exact * 65n) / 64n + 1n)
  })
})

describe('a transaction of an outside client', () => {
  test('above the gas limit never reaches the journal', async () => {
    const { sendRaw, chain } = await open()
    const large = await signTransaction({ nonce: 0, gas: limits.gas + 1n })
    await expect(sendRaw(large)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('intrinsic gas too high'),
    })
    expect(chain.stateVersion()).toBe(0)
    await sendRaw(await signTransaction({ nonce: 0, gas: limits.gas }))
    expect(chain.stateVersion()).toBe(1)
  })

  test('uses up the daily gas of its client and of its sender', async () => {
    const { sendRaw, passTime } = await open()
    const burn = async (nonce: number, from = 0) =>
      signTransaction({ from, nonce, gas: limits.gas, data: loop, to: undefined })
    // A quarter of a day's gas: two and a half such transactions.
    for (const nonce of [0, 1]) await sendRaw(await burn(nonce), `client ${nonce}`)
    const third = await burn(2)
    await expect(sendRaw(third, 'another')).rejects.toMatchObject({ code: -32005 })
    await sendRaw(await burn(0, 1), 'another')
    passTime(86_400)
    await sendRaw(third, 'another')
  })

  test('is charged the gas that it used, and nothing when it is rejected', async () => {
    const { sendRaw } = await open({ ...limits, gasPerDay: 1_600_000n })
    for (let nonce = 0; nonce < 8; nonce += 1)
      await sendRaw(await signTransaction({ nonce, gas: limits.gas }))
    const ahead = await signTransaction({ nonce: 99, gas: limits.gas })
    for (let time = 0; time < 5; time += 1) {
      await expect(sendRaw(ahead)).rejects.toMatchObject({
        message: expect.stringMatching(/nonce/i),
      })
    }
  })

  test.each(['0x00', '0x02c0', pad('0x05', { size: 40, dir: 'right' })])(
    'that is invalid never reaches the journal: %s',
    async (raw) => {
      const harness = await open()
      await expect(harness.sendRaw(raw as Hex)).rejects.toMatchObject({ code: -32602 })
      expect(harness.chain.stateVersion()).toBe(0)
    },
  )
})

describe('logs', () => {
  test('are complete over a range of many parts', async () => {
    const { requestPublic, chain } = await open()
    const data = creationCode('0x5f5fa000')
    const to = (
      await receiptOf(
        chain,
        await send(chain, await signTransaction({ nonce: 0, to: undefined, data })),
      )
    ).contractAddress
    for (let nonce = 1; nonce <= 60; nonce += 1) {
      await send(chain, await signTransaction({ nonce, to, data: '0x' }))
    }
    const logs = (filter: object) =>
      requestPublic({ method: 'eth_getLogs', params: [filter] }, 'me')
    const all = await chain.request({ method: 'eth_getLogs', params: [{ fromBlock: '0x0' }] })
    expect(all).toHaveLength(60)
    expect(await logs({ fromBlock: '0x0' })).toEqual(all)
    expect(await logs({ fromBlock: 'earliest', toBlock: 'pending', address: to })).toEqual(all)
    expect(await logs({ fromBlock: '0x1e', toBlock: '0x1e' })).toHaveLength(1)
    expect(await logs({})).toHaveLength(1)
    await expect(logs({ fromBlock: 'soon' })).rejects.toMatchObject({ code: -32602 })
  })

  test.each([
    'eth_newFilter',
    'eth_newBlockFilter',
    'eth_newPendingTransactionFilter',
    'eth_getFilterLogs',
  ])('have no filters: %s', async (method) => {
    const { requestPublic } = await open()
    await expect(requestPublic({ method, params: [{}] }, 'me')).rejects.toMatchObject({
      code: -32601,
    })
  })

  test('are refused over a range that is too long', async () => {
    const request = async ({ method }: { readonly method: string }) =>
      method === 'eth_blockNumber' ? `0x${(2 * longestRange).toString(16)}` : []
    const parts = { ...withoutBounds, request, now: () => 0, limits: publicLimits }
    const sent = publicRpc(parts)({ method: 'eth_getLogs', params: [{ fromBlock: '0x0' }] }, 'me')
    await expect(sent).rejects.toMatchObject({ code: -32005, message: /block range 10000/ })
  })
})

describe('a budget', () => {
  test('is used up, and refilled over time', () => {
    let now = 0
    const left = budget({ most: 10, perSecond: 2, now: () => now })
    left.use('a', 14)
    expect([left.wait('a', 1), left.wait('b', 10)]).toEqual([2.5, 0])
    now = 2500
    expect(left.wait('a', 1)).toBe(0)
    now = 1_000_000
    expect(left.wait('a', 25)).toBe(0)
    left.use('a', -5)
    expect(left.wait('a', 10)).toBe(0)
  })

  test('of EVM time refuses a client that has none left, and no other', async () => {
    const request = async () => '0x1'
    const parts = { ...withoutBounds, request, now: () => 0, limits }
    const requestPublic = publicRpc(parts)
    const countUntilRefused = async (client: string) => {
      for (let answered = 0; ; answered += 1) {
        const error = await requestPublic({ method: 'eth_chainId' }, client).then(
          () => undefined,
          (error) => error,
        )
        if (error !== undefined) return { answered, error }
      }
    }
    const { answered, error } = await countUntilRefused('greedy')
    expect(answered).toBeGreaterThanOrEqual(19_000)
    expect(error).toMatchObject({ code: -32005, retryAfter: 1 })
    expect(await requestPublic({ method: 'eth_chainId' }, 'modest')).toBe('0x1')
  })
})

describe('the fair queue', () => {
  test('runs one task at a time, each client in its turn', async () => {
    const queue = fairQueue({ perClient: 3, total: 10, rest: 0 })
    const order: string[] = []
    let running = 0
    const task = (name: string) => async () => {
      running += 1
      expect(running).toBe(1)
      await Promise.resolve()
      order.push(name)
      running -= 1
    }
    const first = ['a1', 'a2', 'a3'].map((name) => queue.run('a', task(name)))
    await Promise.all([...first, queue.run('b', task('b1'))])
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('limits the waiting tasks of one client, and of all', async () => {
    const queue = fairQueue({ perClient: 2, total: 3, rest: 0 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const wait = () => promise
    const accepted = ['a', 'a', 'a', 'b', 'b'].map((client) => queue.run(client, wait))
    const refused = [queue.run('a', wait), queue.run('c', wait)]
    await Promise.all(refused.map((it) => expect(it).rejects.toMatchObject({ retryAfter: 1 })))
    resolve()
    await Promise.allSettled(accepted)
  })
})
