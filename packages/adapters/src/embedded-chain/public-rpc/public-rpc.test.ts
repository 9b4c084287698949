import { type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { budget } from './budget.ts'
import { longestRange } from './bounded-logs.ts'
import { fairQueue } from './fair-queue.ts'
import { publicLimits } from './public-limits.ts'
import { publicRpc } from './public-rpc.ts'
import { receiptOf, send } from '../test/requests.ts'
import { noon, opened } from '../test/test-chain.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { accounts, deploying, signed } from '../test/transactions.ts'

const limits = { gas: 100_000n, gasPerDay: 1_000_000n }
const loop: Hex = '0x5b5f56'
/** Returns the gas that it was given. */
const meter = '0x5a5f5260205ff3'

async function open(bounds = limits, runsOwnCode: publicRpc.Parts['runsOwnCode'] = () => false) {
  const chain = await opened(temporaryFolder())
  let time = noon
  const { request } = chain
  const ask = publicRpc({ request, now: () => time, limits: bounds, runsOwnCode })
  return {
    ...{ chain, ask },
    pass: (seconds: number) => {
      time += seconds * 1000
    },
    raw: (raw: Hex, client = 'me') =>
      ask({ method: 'eth_sendRawTransaction', params: [raw] }, client),
  }
}

describe('a call of a stranger', () => {
  test.each([{}, { gas: '0xffffff' }, { gas: '0x186a0' }])('%j has little gas', async (call) => {
    const { ask } = await open()
    const params = [{ ...call, data: meter }, 'latest']
    const left = BigInt((await ask({ method: 'eth_call', params }, 'me')) as Hex)
    expect(left).toBeLessThan(limits.gas)
    expect(left).toBeGreaterThan(0n)
  })

  test.each(['eth_call', 'eth_estimateGas'])('%s that never ends says how much', async (method) => {
    const { ask } = await open()
    await expect(ask({ method, params: [{ data: loop }] }, 'me')).rejects.toMatchObject({
      message: expect.stringMatching(/ran out of gas; a call through \/rpc .* at most 100000 gas/),
    })
  })

  test('has much gas where only our code runs, unless the state is overridden', async () => {
    const { ask } = await open(limits, ({ data }) => data === meter)
    const left = async (...more: readonly unknown[]) =>
      BigInt((await ask({ method: 'eth_call', params: [{ data: meter }, ...more] }, 'me')) as Hex)
    expect(await left('latest')).toBeGreaterThan(16_000_000n)
    expect(await left('latest', {})).toBeLessThan(limits.gas)
  })

  test('is estimated as it is for the server', async () => {
    const { ask, chain } = await open()
    const request = { method: 'eth_estimateGas', params: [{ to: accounts[1].address }] }
    expect(await ask(request, 'me')).toBe(await chain.request(request))
  })
})

describe('a transaction of a stranger', () => {
  test('above the gas of a transaction never reaches the journal', async () => {
    const { raw, chain } = await open()
    const large = await signed({ nonce: 0, gas: limits.gas + 1n })
    await expect(raw(large)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('intrinsic gas too high'),
    })
    expect(chain.stateVersion()).toBe(0)
    await raw(await signed({ nonce: 0, gas: limits.gas }))
    expect(chain.stateVersion()).toBe(1)
  })

  test('counts the gas that it used against the day of its client and of its sender', async () => {
    const { raw, pass } = await open()
    const burn = async (nonce: number, from = 0) =>
      signed({ from, nonce, gas: limits.gas, data: loop, to: undefined })
    // A quarter of a day's gas: two and a half such transactions.
    for (const nonce of [0, 1]) await raw(await burn(nonce), `client ${nonce}`)
    const third = await burn(2)
    await expect(raw(third, 'another')).rejects.toMatchObject({ code: -32005 })
    await raw(await burn(0, 1), 'another')
    pass(86_400)
    await raw(third, 'another')
  })

  test('that is small, or refused, costs next to nothing', async () => {
    const { raw } = await open({ ...limits, gasPerDay: 1_600_000n })
    for (let nonce = 0; nonce < 8; nonce += 1) await raw(await signed({ nonce, gas: limits.gas }))
    const ahead = await signed({ nonce: 99, gas: limits.gas })
    for (let time = 0; time < 5; time += 1) {
      await expect(raw(ahead)).rejects.toMatchObject({ message: expect.stringMatching(/nonce/i) })
    }
  })

  test.each(['0x00', '0x02c0', pad('0x05', { size: 40, dir: 'right' })])(
    'that is none is refused before the journal: %s',
    async (raw) => {
      const world = await open()
      await expect(world.raw(raw as Hex)).rejects.toMatchObject({ code: -32602 })
      expect(world.chain.stateVersion()).toBe(0)
    },
  )
})

describe('logs', () => {
  test('come whole from a range of many parts, and not from one that is too long', async () => {
    const { ask, chain } = await open()
    const data = deploying('0x5f5fa000')
    const to = (
      await receiptOf(chain, await send(chain, await signed({ nonce: 0, to: undefined, data })))
    ).contractAddress
    for (let nonce = 1; nonce <= 60; nonce += 1) {
      await send(chain, await signed({ nonce, to, data: '0x' }))
    }
    const logs = (filter: object) => ask({ method: 'eth_getLogs', params: [filter] }, 'me')
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
    const { ask } = await open()
    await expect(ask({ method, params: [{}] }, 'me')).rejects.toMatchObject({ code: -32601 })
  })

  test('of a chain that is longer than a range are read in parts', async () => {
    const request = async ({ method }: { readonly method: string }) =>
      method === 'eth_blockNumber' ? `0x${(2 * longestRange).toString(16)}` : []
    const parts = { request, now: () => 0, limits: publicLimits, runsOwnCode: () => false }
    const asked = publicRpc(parts)({ method: 'eth_getLogs', params: [{ fromBlock: '0x0' }] }, 'me')
    await expect(asked).rejects.toMatchObject({ code: -32005, message: /block range 10000/ })
  })
})

describe('a share', () => {
  test('is used up, and comes back with time', () => {
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

  test('of the time of the chain refuses a client that has none left, and no other', async () => {
    const request = async () => '0x1'
    const parts = { request, now: () => 0, limits, runsOwnCode: () => false }
    const ask = publicRpc(parts)
    const count = async (client: string) => {
      for (let answered = 0; ; answered += 1) {
        const error = await ask({ method: 'eth_chainId' }, client).then(
          () => undefined,
          (refusal) => refusal,
        )
        if (error !== undefined) return { answered, error }
      }
    }
    const { answered, error } = await count('greedy')
    expect(answered).toBeGreaterThanOrEqual(19_000)
    expect(error).toMatchObject({ code: -32005, retryAfter: 1 })
    expect(await ask({ method: 'eth_chainId' }, 'modest')).toBe('0x1')
  })
})

describe('the lane', () => {
  test('runs one task at a time, each client in its turn', async () => {
    const lane = fairQueue({ perClient: 3, inAll: 10, rest: 0 })
    const order: string[] = []
    let running = 0
    const task = (name: string) => async () => {
      running += 1
      expect(running).toBe(1)
      await Promise.resolve()
      order.push(name)
      running -= 1
    }
    const first = ['a1', 'a2', 'a3'].map((name) => lane.run('a', task(name)))
    await Promise.all([...first, lane.run('b', task('b1'))])
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('holds so many tasks of a client, and so many in all', async () => {
    const lane = fairQueue({ perClient: 2, inAll: 3, rest: 0 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const wait = () => promise
    const taken = ['a', 'a', 'a', 'b', 'b'].map((client) => lane.run(client, wait))
    const refused = [lane.run('a', wait), lane.run('c', wait)]
    for (const it of refused) await expect(it).rejects.toMatchObject({ retryAfter: 1 })
    resolve()
    await Promise.allSettled(taken)
  })
})
