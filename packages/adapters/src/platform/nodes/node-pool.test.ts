import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type NodeChange, type NodePool, nodePool } from './node-pool.ts'

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

/** A node of a made-up chain, which can be made to fail and to lie. */
type TestNode = {
  readonly url: URL
  /** The calls that it got. */
  readonly calls: Call[]
  height: number
  /** The first block that it has. */
  first: number
  /** The blocks by which the number of its newest block is too high. */
  boast: number
  chainId: number
  /** The name of its fork from block 1 on. */
  fork: string
  nonce: number
  /** Answers a call of a contract at a block; it reverts when absent. */
  access: ((block: number) => string) | undefined
  receipt: object | null
  /** Its answers to some methods instead of the truth. */
  lies: Readonly<Record<string, unknown>>
  /** Its answers: as a node, not at all, with HTML, too often asked, or with 100 MB. */
  mode: 'well' | 'hangs' | 'html' | 'busy' | 'huge' | 'limited'
}

async function startNode(more: Partial<TestNode> = {}): Promise<TestNode> {
  const server = createServer(async (request, response) => {
    const sent = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const calls: Call[] = Array.isArray(sent) ? sent : [sent]
    node.calls.push(...calls)
    if (node.mode === 'hangs') return
    const wrong = wrongAnswers[node.mode]
    if (wrong !== undefined)
      return void response.writeHead(wrong.status, wrong.headers).end(wrong.body)
    const replies = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, ...answer(node, call) }))
    response.end(JSON.stringify(Array.isArray(sent) ? replies : replies[0]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as { port: number }
  const node: TestNode = {
    url: new URL(`http://127.0.0.1:${port}/key-in-path`),
    calls: [],
    mode: 'well',
    height: 100,
    first: 0,
    boast: 0,
    chainId: 1,
    fork: 'main',
    nonce: 7,
    access: undefined,
    receipt: null,
    lies: {},
    ...more,
  }
  return node
}

const wrongAnswers: Readonly<Partial<Record<TestNode['mode'], WrongAnswer>>> = {
  html: { status: 200, body: '<html>Welcome</html>' },
  busy: { status: 429, headers: { 'retry-after': '3600' }, body: 'slow down' },
  huge: { status: 200, body: ' '.repeat(11 * 2 ** 20) },
}
type WrongAnswer = {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: string
}

function answer(node: TestNode, { method, params }: Call): object {
  if (node.mode === 'limited' && method === 'eth_call') {
    return { error: { code: -32005, message: 'limit exceeded' } }
  }
  if (method in node.lies) return { result: node.lies[method] }
  if (method === 'eth_call') return callAnswer(node, params[1])
  const results: Readonly<Record<string, () => unknown>> = {
    eth_chainId: () => hex(node.chainId),
    eth_blockNumber: () => hex(node.height + node.boast),
    eth_getTransactionCount: () => hex(node.nonce),
    eth_getTransactionReceipt: () => node.receipt,
    eth_getBlockByNumber: () => blockOf(node, params[0] as string),
  }
  return { result: results[method]?.() ?? null }
}

function callAnswer({ access, height: newest }: TestNode, tag: unknown): object {
  if (access !== undefined) return { result: access(tag === 'latest' ? newest : Number(tag)) }
  return { error: { code: 3, message: 'execution reverted' } }
}

const hex = (value: number) => `0x${value.toString(16)}`

function blockOf(node: TestNode, tag: string): object | null {
  const number = tag === 'latest' ? node.height : Number(tag)
  if (number > node.height || number < node.first) return null
  const hash = number === 0 ? `genesis ${node.chainId}` : `${node.fork} ${number}`
  return { number: hex(number), hash, timestamp: hex(1_000_000 + number) }
}

/** Opens a pool that checks its nodes only when it must, or when it is told to. */
function poolOf(
  nodes: readonly TestNode[],
  changes: NodeChange[] = [],
  more: nodePool.Options = {},
): NodePool {
  const pool = nodePool(
    nodes.map(({ url }) => url),
    {
      ...more,
      onChange: (change) => void changes.push(change),
      times: { usual: 1000, longest: 1000, checkEvery: 2 ** 30, staleAfter: 30_000 },
    },
  )
  onTestFinished(pool.close)
  return pool
}

const ask = (pool: NodePool, method: string, ...params: unknown[]) =>
  pool.request({ method, params })
const height = async (pool: NodePool) => Number(await ask(pool, 'eth_blockNumber'))
const statesOf = (pool: NodePool) => pool.status().map(({ state }) => state)

test('asks only the first node while it is up', async () => {
  const [first, second] = [await startNode(), await startNode()]
  const pool = poolOf([first, second])
  for (let time = 0; time < 5; time++) expect(await height(pool)).toBe(100)
  expect(second.calls).toEqual([])
})

test.each(['hangs', 'html', 'busy', 'huge'] as const)(
  'asks the next node when one %s, and the first again once it is checked',
  async (mode) => {
    const [first, second] = [await startNode(), await startNode()]
    const changes: NodeChange[] = []
    const pool = poolOf([first, second], changes)
    expect(await height(pool)).toBe(100)
    first.mode = mode
    second.height = 101
    expect(await height(pool)).toBe(101)
    expect(changes).toEqual([{ place: 1, of: 2, state: 'silent' }])
    const requests = first.calls.length
    expect(await height(pool)).toBe(101)
    expect(first.calls.length).toBe(requests)

    first.mode = 'well'
    first.height = 102
    await expect.poll(() => pool.check().then(() => statesOf(pool))).toEqual(['up', 'up'])
    expect(await height(pool)).toBe(102)
    expect(changes.at(-1)).toEqual({ place: 1, of: 2, state: 'up' })
  },
)

test('checks a lone node that gives no answer ten times a second at most, however many ask', async () => {
  const node = await startNode({ mode: 'html' })
  const pool = poolOf([node])
  const from = performance.now()
  for (let time = 0; time < 5; time++) await expect(height(pool)).rejects.toThrow()
  const checks = node.calls.filter(({ method }) => method === 'eth_chainId').length
  expect(checks).toBeLessThanOrEqual(1 + (performance.now() - from) / 100)
  node.mode = 'well'
  expect(await height(pool)).toBe(100)
})

test.each([
  ['eth_chainId', null],
  ['eth_blockNumber', {}],
  ['eth_getTransactionCount', 'many'],
  ['eth_estimateGas', '0x'],
  ['eth_getBlockByNumber', null],
  ['eth_call', null],
])('asks the next node when the answer of one to %s is %j', async (method, lie) => {
  const truth = { eth_estimateGas: '0x7', eth_call: 'owner' }
  const [first, second] = [await startNode({ lies: truth }), await startNode({ lies: truth })]
  const pool = poolOf([first, second])
  await pool.check()
  const params = method === 'eth_getTransactionCount' ? ['0x', 'pending'] : ['latest', false]
  const right = await ask(pool, method, ...params)
  first.lies = { ...truth, [method]: lie }
  expect(await ask(pool, method, ...params)).toEqual(right)
  expect(await height(pool)).toBe(100)
  await expect(ask(poolOf([first]), method, ...params)).rejects.toThrow()
})

test('asks another node when one was asked too often, and keeps the first', async () => {
  const [first, second] = [await startNode({ mode: 'limited' }), await startNode()]
  const pool = poolOf([first, second])
  await expect(ask(pool, 'eth_call')).rejects.toMatchObject({ code: 3 })
  expect(statesOf(pool)).toEqual(['up', 'up'])
})

test('hands the refusal of a node to the caller, and asks no other', async () => {
  const [first, second] = [await startNode(), await startNode()]
  const pool = poolOf([first, second])
  await expect(ask(pool, 'eth_call')).rejects.toMatchObject({ code: 3 })
  expect(second.calls).toEqual([])
})

test('never shows an older chain than before: neither by the same node nor by the next', async () => {
  const [first, second, third] = [await startNode(), await startNode(), await startNode()]
  const pool = poolOf([first, second, third])
  expect(await height(pool)).toBe(100)
  first.height = 50
  second.height = 99
  third.height = 101
  expect(await height(pool)).toBe(101)
  // The second one is well, and lacks a block that was shown.
  expect(statesOf(pool)).toEqual(['behind', 'up', 'up'])
  third.height = 60
  await expect(height(pool)).rejects.toThrow(/No node of RPC_URL can be used/)
  second.height = 102
  expect(await height(pool)).toBe(102)
})

test('believes the nodes again when none was as high for a while', async () => {
  const [first, second] = [await startNode({ height: 2 ** 40 }), await startNode()]
  const pool = nodePool([first.url, second.url], { times: { usual: 1000, floorFor: 50 } })
  onTestFinished(pool.close)
  expect(await height(pool)).toBe(2 ** 40)
  first.mode = 'hangs'
  await expect.poll(() => height(pool).catch(() => 0)).toBe(100)
})

test('is not drawn to a node that claims to be ahead, while the first has new blocks', async () => {
  const now = Math.floor(Date.now() / 1000)
  const [first, liar] = [await startNode(), await startNode({ height: 1_000_000 })]
  const pool = poolOf([first, liar])
  first.height = now - 1_000_000
  await pool.check()
  await pool.check()
  liar.height = now + 1_000_000
  await pool.check()
  expect(statesOf(pool)[0]).toBe('up')
  // Its newest block is an hour old now: it has stopped.
  first.height = now - 1_000_000 - 3600
  liar.height = first.height + 300
  const later = poolOf([first, liar])
  await later.check()
  await later.check()
  expect(statesOf(later)).toEqual(['behind', 'up'])
})

test('refuses a node of another chain, at once and later', async () => {
  const [first, second] = [await startNode(), await startNode({ chainId: 5 })]
  const pool = poolOf([first, second])
  await height(pool)
  await pool.check()
  expect(statesOf(pool)).toEqual(['up', 'other-chain'])
  first.mode = 'hangs'
  await expect(height(pool)).rejects.toThrow()
  first.mode = 'well'
  await expect.poll(() => height(pool).catch(() => 0)).toBe(100)
  first.chainId = 9
  await pool.check()
  await expect(height(pool)).rejects.toThrow('1: other-chain, 2: other-chain')
})

test('takes no other block than the first for that of the chain', async () => {
  const node = await startNode()
  node.lies = { eth_getBlockByNumber: blockOf(node, 'latest') }
  const pool = poolOf([node])
  await expect(height(pool)).rejects.toThrow('1: silent')
  node.lies = {}
  expect(await height(pool)).toBe(100)
  await pool.check()
  expect(statesOf(pool)).toEqual(['up'])
})

test('lets a node take back the chain that it showed once, and not the one that it showed twice', async () => {
  // A chain of another id, and one of the same id with another first block.
  for (const wrong of [{ chainId: 5 }, { chainId: 5, lies: { eth_chainId: '0x1' } }]) {
    const [first, second] = [await startNode(wrong), await startNode()]
    const pool = poolOf([first, second])
    await height(pool)
    Object.assign(first, { chainId: 1, lies: {} })
    for (let time = 0; time < 2; time++) await pool.check()
    expect(statesOf(pool)).toEqual(['up', 'up'])
    Object.assign(first, wrong, { fork: 'fork' })
    await pool.check()
    expect(statesOf(pool)[0]).not.toBe('up')
    expect(statesOf(pool)[1]).toBe('up')
  }
})

test('compares forks where no node has the first block', async () => {
  for (const chainId of [1, undefined]) {
    const pruned = { first: 50, height: 200 }
    const [first, second] = [await startNode(pruned), await startNode(pruned)]
    const pool = poolOf([first, second], [], { chainId })
    for (let time = 0; time < 2; time++) await pool.check()
    second.fork = 'other'
    await pool.check()
    expect(statesOf(pool)).toEqual(['up', 'other-fork'])
  }
})

test('believes no node about a newest block that it does not have', async () => {
  const [liar, honest] = [await startNode({ boast: 1_000_000 }), await startNode()]
  expect(await height(poolOf([liar, honest]))).toBe(100)
  await expect(height(poolOf([liar]))).rejects.toThrow()
  Object.assign(liar, { boast: 0 })
  const pool = poolOf([liar])
  await height(pool)
  // A chain goes on, by as many blocks as it likes.
  Object.assign(liar, { height: 5000 })
  expect(await height(pool)).toBe(5000)
})

test('asks another node than the one in use, where one is up', async () => {
  const [first, second] = [await startNode({ nonce: 1 }), await startNode({ nonce: 2 })]
  const pool = poolOf([first, second])
  await height(pool)
  const call = { method: 'eth_getTransactionCount', params: [] }
  expect(await pool.requestElsewhere(call)).toBe('0x2')
  second.mode = 'hangs'
  expect(await pool.requestElsewhere(call)).toBe('0x1')
  expect(await pool.request(call)).toBe('0x1')
  expect(await poolOf([first]).requestElsewhere(call)).toBe('0x1')
})

test('asks other nodes for a receipt that was not believed, and keeps the node in use', async () => {
  const [first, second] = [await startNode({ nonce: 1 }), await startNode({ nonce: 2 })]
  const pool = poolOf([first, second])
  await pool.check()
  const hash = `0x${'ab'.repeat(32)}`
  // A success without an event, which is asked of the nodes in turn.
  const receipt = { transactionHash: hash, blockHash: '0x1', status: '0x1', logs: [] }
  Object.assign(first, { receipt })
  Object.assign(second, { receipt })
  const call = { method: 'eth_getTransactionCount', params: [] }
  for (let time = 0; time < 4; time++) {
    await ask(pool, 'eth_getTransactionReceipt', hash)
    expect(await pool.requestElsewhere(call)).toBe('0x2')
  }
  second.calls.length = 0
  for (let time = 0; time < 3; time++) {
    await ask(pool, 'eth_getTransactionReceipt', hash)
    const before = first.calls.length
    expect(await pool.request(call)).toBe('0x1')
    expect(first.calls.length - before).toBe(1)
  }
})

test('takes the chain of the settings for the right one', async () => {
  const [first, second] = [await startNode({ chainId: 5 }), await startNode()]
  const pool = nodePool([first.url, second.url], { chainId: 1 })
  onTestFinished(pool.close)
  expect(await height(pool)).toBe(100)
  expect(statesOf(pool)).toEqual(['other-chain', 'up'])
})

test('refuses a node on another fork, even when it is the only one that answers', async () => {
  const [first, second] = [await startNode({ height: 1000 }), await startNode({ height: 1000 })]
  const pool = poolOf([first, second])
  await height(pool)
  await pool.check()
  second.fork = 'fork'
  await pool.check()
  expect(statesOf(pool)).toEqual(['up', 'other-fork'])
  first.mode = 'hangs'
  await expect(height(pool)).rejects.toThrow()
})

test('follows a lone node through a reorganisation, however deep', async () => {
  const node = await startNode({ height: 1000 })
  const pool = poolOf([node])
  await height(pool)
  await pool.check()
  node.fork = 'fork'
  node.height = 10
  await pool.check()
  expect(await height(pool)).toBe(10)
  node.chainId = 2
  await pool.check()
  await expect(height(pool)).rejects.toThrow(/1: other-chain/)
})

test('sends a transaction to one node, and the second time to all', async () => {
  const nodes = [await startNode(), await startNode(), await startNode()]
  const pool = poolOf(nodes)
  await pool.check()
  const sent = () =>
    nodes.map(
      ({ calls }) => calls.filter(({ method }) => method === 'eth_sendRawTransaction').length,
    )
  await ask(pool, 'eth_sendRawTransaction', '0x01')
  expect(sent()).toEqual([1, 0, 0])
  await ask(pool, 'eth_sendRawTransaction', '0x01')
  expect(sent()).toEqual([2, 1, 1])
  await ask(pool, 'eth_sendRawTransaction', '0x02')
  expect(sent()).toEqual([3, 1, 1])
})

test('takes the lowest nonce of all nodes', async () => {
  const nodes = [await startNode({ nonce: 1_000_000 }), await startNode({ nonce: 9 })]
  const pool = poolOf(nodes)
  await pool.check()
  expect(await ask(pool, 'eth_getTransactionCount', '0x', 'pending')).toBe('0x9')
})

test('names no address in errors', async () => {
  const nodes = [await startNode({ mode: 'html' }), await startNode({ mode: 'busy' })]
  const error: unknown = await height(poolOf(nodes)).catch((it: unknown) => it)
  const shown: string[] = []
  for (let at = error; at instanceof Error; at = at.cause) {
    shown.push(`${at.message} ${at.stack} ${JSON.stringify(at)}`)
  }
  expect(shown.length).toBeGreaterThan(1)
  expect(shown.join()).not.toContain('key-in-path')
})

describe('with a quorum of two', () => {
  const quorumOf = (nodes: readonly TestNode[]) => {
    const pool = nodePool(
      nodes.map(({ url }) => url),
      { quorum: 2, times: { usual: 200, longest: 200 } },
    )
    onTestFinished(pool.close)
    return pool
  }
  const read = (pool: NodePool) => ask(pool, 'eth_call', { to: '0x' }, 'latest')
  const receipt = (pool: NodePool) => ask(pool, 'eth_getTransactionReceipt', '0x')

  test('returns what both say', async () => {
    const nodes = [
      await startNode({ access: () => 'owner' }),
      await startNode({ access: () => 'owner' }),
    ]
    expect(await read(quorumOf(nodes))).toBe('owner')
  })

  test('asks about the same block when one node is ahead', async () => {
    const access = (block: number) => (block > 100 ? 'buyer' : 'seller')
    const nodes = [await startNode({ access, height: 101 }), await startNode({ access })]
    expect(await read(quorumOf(nodes))).toBe('seller')
  })

  test('gives a stranger nothing for the lie of one node, nor takes a right from it', async () => {
    for (const places of [
      [0, 1],
      [1, 0],
    ]) {
      const both = [
        await startNode({ access: () => 'stranger' }),
        await startNode({ access: () => 'owner' }),
      ]
      const nodes = places.flatMap((place) => both[place] ?? [])
      await expect(read(quorumOf(nodes))).rejects.toThrow('contradict each other on eth_call')
    }
  })

  test('believes in no receipt that only one node shows', async () => {
    const shown = { blockHash: 'b', status: '0x1', transactionHash: '0x', logs: [] }
    const [first, second] = [await startNode({ receipt: shown }), await startNode()]
    const pool = quorumOf([first, second])
    expect(await receipt(pool)).toBeNull()
    second.receipt = { ...shown, status: '0x0' }
    await expect(receipt(pool)).rejects.toThrow('contradict')
    second.receipt = { ...shown, gasUsed: '0x1' }
    expect(await receipt(pool)).toEqual(shown)
  })

  test('is silent while only one node answers', async () => {
    const nodes = [await startNode(), await startNode({ mode: 'hangs' })]
    const times = { usual: 1000, longest: 1000, silentAfter: 1500 }
    const { request, means, close } = nodePool(
      nodes.map(({ url }) => url),
      { quorum: 2, times },
    )
    onTestFinished(close)
    expect(means.areSilent()).toBe(false)
    while (!means.areSilent()) {
      expect(await means.answer()).toBe(false)
      // What one node may say alone shows nothing.
      expect(await request({ method: 'eth_blockNumber', params: [] })).toBe(hex(100))
    }
    for (const node of nodes) node.mode = 'well'
    while (!(await means.answer()));
    expect(means.areSilent()).toBe(false)
  })

  test('answers nothing by one node alone, and takes a third for one that is silent', async () => {
    const nodes = [
      await startNode({ access: () => 'owner' }),
      await startNode({ access: () => 'owner', mode: 'hangs' }),
    ]
    await expect(read(quorumOf(nodes))).rejects.toThrow(
      'RPC_QUORUM wants 2 nodes, and 1 can be used',
    )
    const third = await startNode({ access: () => 'owner' })
    expect(await read(quorumOf([...nodes, third]))).toBe('owner')
  })
})
