import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../packages/http/src/client/client.ts'
import { openWallet } from '../../packages/http/src/wallet/open-wallet.ts'
import { run } from '../../packages/http/test/command-harness.ts'
import { ada } from '../../packages/http/test/wallet-harness.ts'
import { openSessions } from '../harness/mcp/sessions.ts'
import { runScript } from '../harness/python/scripts.ts'

/** A member that an act does not know, and the known one that it looks like, if there is one. */
type Typo = { readonly name: string; readonly meant?: string }

type Act = 'snapshot' | 'list' | 'buy' | 'rent' | 'fork' | 'royalty'

const memory = { data: { a: 1 }, metadata: { category: 'x' } }
const terms = { price: '1000', rentalPricePerDay: '1000', forkPrice: '1000', forkRoyaltyBps: 100 }

/** The input of each act besides its token, in the names of the API. */
const inputs: Readonly<Record<Act, object>> = {
  snapshot: memory,
  list: terms,
  buy: {},
  rent: { durationDays: 1 },
  fork: {},
  royalty: { amount: '5' },
}

const limit: readonly Typo[] = [
  { name: 'maxprice', meant: 'maxPrice' },
  { name: 'max_price', meant: 'maxPrice' },
  { name: 'recipent', meant: 'recipient' },
  { name: 'note' },
]

const typos: Readonly<Record<Act, readonly Typo[]>> = {
  snapshot: [
    { name: 'recipent', meant: 'recipient' },
    { name: 'Card', meant: 'card' },
    { name: 'parentToken', meant: 'parentTokenId' },
    { name: 'note' },
  ],
  list: [
    { name: 'rentalPrice', meant: 'rentalPricePerDay' },
    { name: 'Dollars', meant: 'dollars' },
    { name: 'note' },
  ],
  buy: limit,
  rent: [...limit, { name: 'durationdays', meant: 'durationDays' }],
  fork: [...limit, { name: 'maxRoyalty', meant: 'maxRoyaltyBps' }],
  royalty: [{ name: 'ammount', meant: 'amount' }, { name: 'note' }],
}

const cases = Object.entries(typos).flatMap(([act, all]) =>
  all.map((typo) => [act as Act, typo] as const),
)

const { server, asAgent } = openSessions()
let tokenId: string
beforeAll(async () => {
  const seller = createClient({ url: server.url })
  tokenId = (await seller.snapshot(memory)).tokenId
  await seller.list({ tokenId, ...terms })
})

/** Returns the number of the last block, which every write of a wallet raises. */
async function lastBlock(): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${server.url}/rpc`, { method: 'POST', headers, body })
  return ((await reply.json()) as { readonly result: string }).result
}

/** Runs a refused call, and requires that no wallet sent a transaction. */
async function withoutSpending<T>(call: () => Promise<T>): Promise<T> {
  const before = await lastBlock()
  const result = await call()
  expect(await lastBlock()).toBe(before)
  return result
}

/** Returns the inputs of a call of the client or of a wallet. */
function wordsOf(act: Act, typo: object): readonly unknown[] {
  const input = { ...inputs[act], ...typo }
  if (act === 'snapshot') return [input]
  return act === 'list' ? [{ tokenId, ...input }] : [tokenId, input]
}

type AnyCall = (...input: readonly unknown[]) => Promise<unknown>

const refusalOf = ({ name, meant }: Typo, act: string) => ({
  code: 'request/malformed',
  facts: {
    where: `${act}/${name}`,
    problem: expect.stringContaining(meant ? `looks like ${meant}` : 'known are '),
  },
  message: expect.stringContaining(`${act}/${name} is not known here`),
})

test.each(cases)('the client refuses %s with %j', async (act, typo) => {
  const client = createClient({ url: server.url, account: ada })
  const call = client[act] as AnyCall
  const input = wordsOf(act, { [typo.name]: '1' })
  await withoutSpending(() => expect(call(...input)).rejects.toMatchObject(refusalOf(typo, act)))
})

test.each(cases)('a wallet refuses %s and its quote with %j', async (act, typo) => {
  const wallet = await openWallet({ url: server.url, account: ada })
  const input = wordsOf(act, { [typo.name]: '1' })
  const [call, quote] = [wallet[act], wallet.quote] as readonly AnyCall[]
  await withoutSpending(async () => {
    await expect(call?.(...input)).rejects.toMatchObject(refusalOf(typo, act))
    await expect(quote?.(act, ...input)).rejects.toMatchObject(refusalOf(typo, act))
  })
})

test('the client and a wallet refuse misspelt options, and options of them', async () => {
  const { url } = server
  const open = (more: object) => openWallet({ url, account: ada, ...more })
  const create = (more: object) => async () => createClient({ url, ...more })
  const client = createClient({ url, account: ada })
  const wallet = await open({})
  const write = { idempotencykey: 'a' }
  const other = (call: unknown, ...input: readonly unknown[]) => (call as AnyCall)(...input)
  const calls: readonly (readonly [where: string, () => Promise<unknown>])[] = [
    ['openWallet/limit', () => open({ limit: { perDay: 1n } })],
    ['openWallet/limits/perday', () => open({ limits: { perday: 1n } })],
    ['openWallet/limits/dollars/PerCall', () => open({ limits: { dollars: { PerCall: 1n } } })],
    ['createClient/acount', create({ acount: ada })],
    ['createClient/proof/rpcurl', create({ proof: { rpcurl: url } })],
    ['snapshot/idempotencykey', () => other(client.snapshot, memory, write)],
    ['save/idempotencykey', () => other(client.memory('ada').save, memory, write)],
    ['save/Card', () => other(client.memory('ada').save, { ...memory, Card: {} })],
    ['memory/Seen', async () => other(client.memory, 'ada', { Seen: 1 })],
    ['rate/coment', () => other(client.rate, { tokenId, score: 5, coment: 'good' })],
    ['erase/As', () => other(client.erase, tokenId, { As: 'agent' })],
    ['list/dollars/pryce', () => other(client.list, { tokenId, ...terms, dollars: { pryce: 1n } })],
    ['transfer/TO', () => other(wallet.transfer, tokenId, { TO: ada.address })],
    ['withdraw/curency', () => other(wallet.withdraw, { curency: 'dollar' })],
    ['heartbeat/onsent', () => other(wallet.heartbeat, { onsent: () => undefined })],
    ['forgetName/After', () => other(wallet.forgetName, 'ada', { After: 1 })],
  ]
  await withoutSpending(async () => {
    for (const [where, call] of calls) {
      const refused = { code: 'request/malformed', facts: { where } }
      await expect(Promise.resolve().then(call), where).rejects.toMatchObject(refused)
    }
  })
})

test('an inherited limit counts, an absent one does not, and a limit that is no object is refused', async () => {
  const client = createClient({ url: server.url, account: ada })
  const call = client.buy as AnyCall
  await withoutSpending(async () => {
    for (const input of [Object.create({ maxprice: 1n }), 1n, '1', null, [1n]]) {
      await expect(call(tokenId, input)).rejects.toMatchObject({ code: 'request/malformed' })
    }
    const absent = { maxPrice: 1n, maxprice: undefined }
    const refused = { code: 'listing/over-max-price' }
    await expect(client.buy(tokenId, absent)).rejects.toMatchObject(refused)
  })
})

test('automatic snapshots refuse what they do not know', async () => {
  const client = createClient({ url: server.url, account: ada })
  const start = client.autoSnapshot as unknown as (options: object) => typeof running
  const options = { every: 1e6, build: () => ({ ...memory, recipient: ada.address }) }
  expect(() => start({ ...options, recipent: ada.address })).toThrow(/looks like recipient/)
  const running = client.autoSnapshot(options)
  onTestFinished(() => running.stop())
  const refused = { code: 'request/malformed', facts: { where: 'build/recipient' } }
  await withoutSpending(() => expect(running.now()).rejects.toMatchObject(refused))
})

const paths: Readonly<Record<Act, () => string>> = {
  snapshot: () => '/api/memory/snapshot',
  list: () => '/api/marketplace/list',
  buy: () => `/api/marketplace/buy/${tokenId}`,
  rent: () => `/api/marketplace/rent/${tokenId}`,
  fork: () => `/api/marketplace/fork/${tokenId}`,
  royalty: () => `/api/marketplace/royalty/${tokenId}`,
}

// By HTTP a member that is like none is ignored.
test.each(cases.filter(([, { meant }]) => meant !== undefined))(
  'a request for %s with %j is refused',
  async (act, { name, meant }) => {
    const token = act === 'list' ? { tokenId } : {}
    const body = JSON.stringify({ ...token, ...inputs[act], [name]: '1' })
    const headers = { 'content-type': 'application/json' }
    const send = () => fetch(`${server.url}${paths[act]()}`, { method: 'POST', headers, body })
    const reply = await withoutSpending(send)
    expect(reply.status).toBe(400)
    const problem = `is not known here, and looks like ${meant}`
    expect(await reply.json()).toMatchObject({ facts: { where: `body/${name}`, problem } })
  },
)

const tools: Readonly<Record<Act, string>> = {
  snapshot: 'memory_snapshot',
  list: 'market_list',
  buy: 'market_buy',
  rent: 'market_rent',
  fork: 'memory_fork',
  royalty: 'market_royalty',
}

test('an agent over MCP is refused with each of them', async () => {
  const client = await asAgent()
  const before = await lastBlock()
  for (const [act, { name, meant }] of cases) {
    const token = act === 'snapshot' ? {} : { tokenId }
    const input = { ...token, ...inputs[act], [name]: '1' }
    const result = await client.callTool({ name: tools[act], arguments: input })
    expect(result.isError, `${act} ${name}`).toBe(true)
    const looks = `${name} is not known here, and looks like ${meant}`
    const words = meant === undefined ? `Leave out ${name}; the arguments are: ` : looks
    expect(JSON.stringify(result.content)).toContain(words)
  }
  expect(await lastBlock()).toBe(before)
})

/** The known words of each command that spends. */
const commands: Readonly<Record<Act, () => readonly string[]>> = {
  snapshot: () => ['snapshot', '-'],
  list: () => ['list', tokenId, '--price', '5wei', '--yes'],
  buy: () => ['buy', tokenId],
  rent: () => ['rent', tokenId, '--days', '1'],
  fork: () => ['fork', tokenId],
  royalty: () => ['royalty', tokenId, '5wei'],
}

test.each(cases)('a command line for %s with %j is refused', async (act, { name }) => {
  const words = [...commands[act](), `--${name}`, '1']
  const input = JSON.stringify(memory)
  const env = { HEIRLOOM_URL: server.url }
  const { code, err } = await withoutSpending(() => run(words, { env, input }))
  expect(code).toBe(2)
  expect(err.replace(/\s+/g, ' ')).toContain(`no option --${name}`)
})

test('a misspelt option of a command line is answered with the nearest one', async () => {
  const env = { HEIRLOOM_URL: server.url }
  const { err } = await run(['buy', tokenId, '--maxprice', '1wei'], { env })
  expect(err).toContain('--max-price')
})

test('Python refuses each of them', async () => {
  const script = `
calls = {
    'snapshot': lambda **more: client.snapshot({'a': 1}, category, **more),
    'list': lambda **more: client.list(os.environ['TOKEN'], price=5, **more),
    'buy': lambda **more: client.buy(os.environ['TOKEN'], **more),
    'rent': lambda **more: client.rent(os.environ['TOKEN'], duration_days=1, **more),
    'fork': lambda **more: client.fork(os.environ['TOKEN'], **more),
    'royalty': lambda **more: client.royalty(os.environ['TOKEN'], amount=5, **more),
}
def refusal_of(act, name):
    try:
        calls[act](**{name: 1})
    except TypeError as error:
        return str(error)
print(json.dumps([refusal_of(act, name) for act, name in json.loads(os.environ['CASES'])]))
`
  // That name is the one of Python.
  const unknown = cases.filter(([, { name }]) => name !== 'max_price')
  const names = unknown.map(([act, { name }]) => [act, name])
  const environment = { CASES: JSON.stringify(names), TOKEN: tokenId }
  const refused = await withoutSpending(() => runScript(server, script, environment))
  const expected = names.map(([, name]) => expect.stringContaining(`'${name}'`))
  expect(refused).toEqual(expected)
})
