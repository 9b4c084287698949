import { expect, onTestFinished, test } from 'vitest'
import { overHttp, toolFailure, toolJson, toolText } from '../harness/mcp/mcp.ts'
import { buyer, buyerKey, openSessions, session } from '../harness/mcp/sessions.ts'

const { server, asSmall, asAgent } = openSessions()

const asSmallBuyer = (more = {}) =>
  session({ HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: buyerKey, ...more }, undefined, 'small')

test('remembers values, finds them again, and reads them', async () => {
  const client = await asSmall()
  const first = await toolJson(client, 'save', { name: 'ada', value: 'prefers short answers' })
  expect(first).toMatchObject({ saved: 'ada', version: 1 })
  const second = await toolJson(client, 'save', {
    name: 'ada',
    at: '/data/weights',
    value: { exact: 1 },
  })
  expect(second).toMatchObject({ saved: 'ada', version: 2 })
  const big = { name: 'ada', at: '/data/weights/big', value: '12345678901234567890' }
  await toolJson(client, 'save', big)

  expect(await toolText(client, 'outline', { memory: 'ada' })).toContain(
    '"/data/notes" array of 1 items',
  )
  const whole = await toolText(client, 'read_part', { memory: 'ada' })
  expect(whole).toContain('"big":12345678901234567890')
  expect(JSON.parse(whole).value.data.notes).toEqual(['prefers short answers'])
  const read = (memory: string | number) =>
    toolJson(client, 'read_part', { memory, at: '/data/notes/0' })
  expect(await read('ada@1')).toEqual({ at: '/data/notes/0', value: 'prefers short answers' })
  expect(await read(Number(first.token))).toEqual(await read('ada'))
  expect(await read('ada@9999-12-31')).toEqual(await read('ada'))
  const before = await toolFailure(client, 'read_part', { memory: 'ada@2001-01-01' })
  expect([before.code, before.sentence]).toEqual([
    'client/no-version',
    expect.stringContaining('has no version of 2001-01-01 or before'),
  ])
  expect(await toolJson(client, 'search_in', { memory: 'ada', text: 'SHORT' })).toMatchObject({
    matches: [{ at: '/data/notes/0', text: 'prefers short answers' }],
  })
  const recalled = await toolJson(client, 'recall', { text: 'short answers' })
  expect(recalled.matches).toEqual([
    { memory: 'ada', at: '/data/notes/0', text: 'prefers short answers' },
  ])
  const { memories } = await toolJson(client, 'memories')
  expect(memories).toContainEqual({ name: 'ada', token: expect.any(String) })
  const { versions } = await toolJson(client, 'memories', { name: 'ada', limit: '2' })
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([3, 2])
  const code = async (more: object) =>
    (await toolFailure(client, 'memories', { after: 'zzz', ...more })).code
  expect(await code({})).toBe('value/invalid')
  expect(await code({ name: 'ada' })).toBe('request/malformed')
})

test('forgets a value, by its place or its text, and says what stays', async () => {
  const client = await asSmall()
  const notes = ['likes tea', 'lives in Bergen', 'likes coffee', { who: 'Kim', text: 'left Oslo' }]
  const text = `{"notes":${JSON.stringify(notes)},"big":12345678901234567890}`
  const { token } = await toolJson(client, 'save', { name: 'kim', data: text })
  const forget = (more: object) => toolJson(client, 'forget', { name: 'kim', ...more })
  const refused = (more: object) => toolFailure(client, 'forget', { name: 'kim', ...more })

  const first = await forget({ text: 'bergen' })
  expect(first).toMatchObject({ forgot: '/data/notes/1', name: 'kim', version: 2 })
  expect(first.note).toContain(`before token ${first.token} still have it`)
  expect(first.note).toContain('heirloom erase')
  const found = await toolJson(client, 'recall', { text: 'Bergen' })
  expect(found.matches).toEqual([])
  const earlier = await toolText(client, 'read_part', { memory: token, at: '/data/notes/1' })
  expect(earlier).toContain('lives in Bergen')

  const several = await refused({ text: 'likes' })
  expect(several.code).toBe('value/invalid')
  expect(several.sentence).toContain(
    'is in 2 strings; pass one as at: "/data/notes/0" "likes tea", "/data/notes/1" "likes coffee"',
  )
  expect((await refused({ text: 'Bergen' })).sentence).toContain('is in no string')
  expect((await refused({ at: '/data/notes/3' })).code).toBe('part/not-found')
  expect((await refused({})).code).toBe('value/invalid')
  expect((await refused({ name: 'nobody', at: '/data/notes/3' })).code).toBe('name/not-found')

  expect(await forget({ text: 'left Oslo' })).toMatchObject({ forgot: '/data/notes/2/text' })
  expect(await forget({ at: '/data/notes/0' })).toMatchObject({ version: 4 })
  const whole = await toolText(client, 'read_part', { memory: 'kim' })
  expect(whole).toContain('{"notes":["likes coffee",{"who":"Kim"}],"big":12345678901234567890}')
})

test('two that forget the same item at once forget no other one', async () => {
  const clients = [await asSmall(), await asSmall()] as const
  const data = { notes: ['a', 'b', 'c'] }
  await toolJson(clients[0], 'save', { name: 'twins', data })
  const call = { name: 'forget', arguments: { name: 'twins', at: '/data/notes/0' } }
  const results = await Promise.all(clients.map((client) => client.callTool(call)))
  const count = results.filter(({ isError }) => isError !== true).length
  const { value } = await toolJson(clients[0], 'read_part', { memory: 'twins', at: '/data/notes' })
  // The second one is refused where it read before the first one saved, and else forgets what it read.
  expect(value).toEqual(data.notes.slice(count))
})

test('what changes nothing is no version', async () => {
  const client = await asSmall()
  const data = { mood: 'calm' }
  const { token } = await toolJson(client, 'save', { name: 'still', data })
  const same = { version: 1, token, unchanged: true }
  expect(await toolJson(client, 'save', { name: 'still', data, after: token })).toMatchObject(same)
  const value = { name: 'still', at: '/data/mood', value: 'calm' }
  expect(await toolJson(client, 'save', value)).toMatchObject(same)
})

test('saves a whole memory only over the version that was read', async () => {
  const client = await asSmall()
  const data = { notes: ['calm'] }
  const { token } = await toolJson(client, 'save', { name: 'bo', data })
  const moved = await toolFailure(client, 'save', { name: 'bo', data })
  expect(moved).toMatchObject({ code: 'name/moved' })
  expect(moved.sentence).toContain(`go on after ${token}`)
  const next = { name: 'bo', data: { notes: ['glad'] }, after: token }
  expect(await toolJson(client, 'save', next)).toMatchObject({ version: 2 })
  const secret = { name: 'bo', at: '/data/password', value: 'Bergen4711!' }
  expect((await toolFailure(client, 'save', secret)).code).toBe('import/secrets-found')
})

test('a session whose wallet does not pay owns what it saves', async () => {
  const client = await asSmallBuyer()
  await toolJson(client, 'save', { name: 'guest', value: 'first' })
  await toolJson(client, 'save', { name: 'guest', value: 'second' })
  const { value } = await toolJson(client, 'read_part', { memory: 'guest', at: '/data/notes' })
  expect(value).toEqual(['first', 'second'])
  const { token } = await toolJson(client, 'save', { data: { text: 'alone' } })
  expect(await toolJson(client, 'show', { memory: token })).toMatchObject({ owner: buyer })
})

test('two that remember at once both succeed', async () => {
  const clients = [await asSmall(), await asSmall()]
  const values = Array.from({ length: 6 }, (_, at) => `fact ${at}`)
  for (let at = 0; at < values.length; at += 2) {
    await Promise.all(
      clients.map((client, who) =>
        toolJson(client, 'save', { name: 'both', value: values[at + who] }),
      ),
    )
  }
  const [client] = clients
  if (client === undefined) throw new Error('There is no client.')
  const { value } = await toolJson(client, 'read_part', { memory: 'both', at: '/data/notes' })
  expect(value.toSorted()).toEqual(values)
})

test('of many saves at once to one name, in two sessions, none is refused or lost', async () => {
  const clients = [await asSmall(), await asSmall()]
  const values = Array.from({ length: 12 }, (_, at) => `note ${at}`)
  await Promise.all(
    values.map((value, at) => {
      const client = clients[at % 2] as (typeof clients)[0]
      return toolJson(client, 'save', { name: 'many', value })
    }),
  )
  const [client] = clients as [(typeof clients)[0]]
  const { value } = await toolJson(client, 'read_part', { memory: 'many', at: '/data/notes' })
  expect(value.toSorted()).toEqual(values.toSorted())
})

test('browses, buys within a limit, rents and forks', async () => {
  const seller = await asAgent()
  const card = { title: 'Tides of the market' }
  const mint = async (text: string) => {
    const args = { data: { text }, metadata: { category: 'x' }, card }
    const minted = await seller.callTool({ name: 'memory_snapshot', arguments: args })
    return `${(minted.structuredContent as { tokenId: string }).tokenId}`
  }
  const tokenId = await mint('ebb')
  const terms = { price: '0.01ether', rentalPricePerDay: '0.001ether', forkPrice: '0.02ether' }
  await seller.callTool({
    name: 'market_list',
    arguments: { tokenId, ...terms, forkRoyaltyBps: '500' },
  })
  const client = await asSmallBuyer()
  const found = await toolJson(client, 'browse', { search: 'tides', maxPrice: '0.01ether' })
  expect(found.memories).toEqual([
    {
      token: tokenId,
      title: card.title,
      buy: '0.01ether',
      rentPerDay: '0.001ether',
      fork: '0.02ether',
    },
  ])
  const cheap = await toolJson(client, 'browse', { search: 'tides', maxPrice: '0.009ether' })
  expect(cheap.memories).toEqual([])
  expect(
    (await toolJson(client, 'browse', { search: 'tides', maxPrice: '5usd' })).memories,
  ).toEqual([])
  expect(await toolJson(client, 'show', { memory: tokenId })).toMatchObject({ royaltyOfFork: '5%' })

  const closed = await toolFailure(client, 'read_part', { memory: tokenId })
  expect(closed).toMatchObject({ code: 'access/denied' })
  const over = await toolFailure(client, 'buy', { tokenId, maxPrice: '0.009ether' })
  expect(over).toMatchObject({ code: 'listing/over-max-price' })
  const dollars = await toolFailure(client, 'buy', { tokenId, maxPrice: '5usd' })
  expect(dollars.sentence).toContain('HEIRLOOM_MAX_DOLLARS_PER_DAY')
  const endless = await toolFailure(client, 'buy', { tokenId, maxPrice: '1ether', how: 'rent' })
  expect(endless.sentence).toContain('needs days')

  const rent = await toolJson(client, 'buy', { tokenId, maxPrice: '0.002ether', days: '2' })
  expect(rent).toMatchObject({ done: 'rent', token: tokenId, until: expect.stringMatching(/Z$/) })
  const fork = await toolJson(client, 'buy', { tokenId, maxPrice: '0.02ether', how: 'fork' })
  expect(fork.token).not.toBe(tokenId)
  const bought = await toolJson(client, 'buy', { tokenId, maxPrice: '0.01ether' })
  expect(bought).toMatchObject({ done: 'buy', token: tokenId })
  expect(await toolText(client, 'read_part', { memory: tokenId, at: '/data/text' })).toContain(
    'ebb',
  )
  const mine = await toolJson(client, 'browse', { owner: 'me' })
  expect(mine.memories.map(({ token }: { token: string }) => token)).toEqual(
    expect.arrayContaining([tokenId, fork.token]),
  )
  const recalled = await toolJson(client, 'recall', { text: 'ebb' })
  expect(recalled.matches.map(({ memory }: { memory: string }) => memory)).toContain(tokenId)
  expect(await toolJson(client, 'show', { memory: tokenId })).toMatchObject({ owner: buyer })
})

test('/mcp offers what is public, and the names of its caller', async () => {
  const client = await overHttp(server.url, undefined, {}, '/mcp')
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['memories', 'browse', 'show'])
  const found = await toolJson(client, 'browse', { limit: '1' })
  expect(found.memories).toHaveLength(1)
  const [{ token }] = found.memories
  expect(await toolJson(client, 'show', { memory: token })).toMatchObject({ token })
  const nobody = await toolFailure(client, 'browse', { owner: 'me' })
  expect(nobody.sentence).toContain('must be an address here')
})
