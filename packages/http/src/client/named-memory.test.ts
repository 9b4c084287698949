import { expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { agent, other, stranger } from '../../test/server-harness.ts'

const memoryOf = (mood: string) => ({ data: { mood }, metadata: { category: 'research' } })

test('a renamed name has all its versions, and is free for others', async () => {
  const { client } = await openClientHarness()
  const ada = client.memory('ada')
  const first = await ada.save(memoryOf('calm'))
  const second = await ada.save(memoryOf('glad'))
  const renamed = await ada.rename('work/ada')
  expect(renamed).toMatchObject({ name: 'work/ada', last: { tokenId: second.tokenId, version: 2 } })
  const { items } = await client.memory('work/ada').log()
  expect(items.map(({ tokenId }) => tokenId)).toEqual([second.tokenId, first.tokenId])
  expect(await ada.latest()).toBeUndefined()
  await expect(ada.rename('bo')).rejects.toMatchObject({ code: 'name/not-found' })
  // What the object has seen is under the other name now, so it saves over nothing here.
  await expect(ada.save(memoryOf('sad'))).rejects.toMatchObject({ code: 'name/moved' })
  const third = client.memory('work/ada', { seen: renamed.last.tokenId })
  expect((await third.save(memoryOf('sad'))).version).toBe(3)
})

test('what an account saves belongs to it, so that it opens it', async () => {
  const { clientAt } = await openClientHarness()
  const saved = await clientAt({ account: other }).memory('ada').save(memoryOf('calm'))
  const again = clientAt({ account: other }).memory<{ mood: string }>('ada')
  expect((await again.latest())?.data).toEqual({ mood: 'calm' })
  const elsewhere = { ...memoryOf('glad'), recipient: stranger.address }
  const given = await clientAt({ account: other })
    .memory('ada', { seen: saved.tokenId })
    .save(elsewhere)
  expect((await clientAt({ account: stranger }).download(given.tokenId)).data).toEqual({
    mood: 'glad',
  })
})

test('a client without an account saves nothing that it could not read back', async () => {
  const { clientAt } = await openClientHarness()
  const ada = clientAt({ account: undefined }).memory('ada')
  const refused = { code: 'client/no-account', message: expect.stringContaining('`recipient`') }
  await expect(ada.save(memoryOf('calm'))).rejects.toMatchObject(refused)
  expect(await clientAt().memory('ada').latest()).toBeUndefined()
  await ada.save({ ...memoryOf('calm'), recipient: 'server' })
  expect((await clientAt().memory('ada').latest())?.data).toEqual({ mood: 'calm' })
  const given = { ...memoryOf('glad'), recipient: other.address }
  await ada.save(given)
  expect((await clientAt({ account: other }).memory('ada').latest())?.data).toEqual({
    mood: 'glad',
  })
})

test('of two wallets without an API key, none goes on with the last version of the other', async () => {
  const { clientAt } = await openClientHarness()
  const { tokenId } = await clientAt({ account: other }).memory('ada').save(memoryOf('calm'))
  const refused = {
    code: 'access/denied',
    facts: { tokenId, account: stranger.address },
    message: expect.stringMatching(/belongs to 0x.+ choose another name/),
  }
  const second = clientAt({ account: stranger })
  const last = second.memory('ada', { seen: 'last' })
  await expect(last.save(memoryOf('sad'))).rejects.toMatchObject(refused)
  const given = { ...memoryOf('sad'), recipient: stranger.address }
  await expect(last.save(given)).rejects.toMatchObject(refused)
  const asServer = clientAt({ account: undefined }).memory('ada', { seen: 'last' })
  const ofServer = { ...memoryOf('sad'), recipient: 'server' } as const
  await expect(asServer.save(ofServer)).rejects.toMatchObject({
    code: 'access/denied',
    facts: { account: agent.address },
  })
  await expect(second.memory('ada').save(memoryOf('sad'))).rejects.toMatchObject({
    code: 'name/moved',
  })
  const denied = { code: 'access/denied', message: expect.stringContaining('choose another name') }
  await expect(last.latest()).rejects.toMatchObject(denied)
  const first = clientAt({ account: other })
  expect((await first.memory('ada', { seen: 'last' }).save(memoryOf('glad'))).version).toBe(2)
  expect((await first.memory('ada').latest())?.data).toEqual({ mood: 'glad' })
  const chosen = second.memory('ada', { seen: (await second.memory('ada').find()).tokenId })
  expect((await chosen.save(memoryOf('sad'))).version).toBe(3)
})

test('a wallet without an API key saves over nothing that another saves meanwhile', async () => {
  const { clientAt } = await openClientHarness()
  const first = clientAt({ account: other })
  const saveBetween: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (init?.method !== 'POST') await first.memory('ada').save(memoryOf('calm'))
    return answer
  }
  const second = clientAt({ account: stranger, fetch: saveBetween }).memory('ada', { seen: 'last' })
  await expect(second.save(memoryOf('sad'))).rejects.toMatchObject({ code: 'name/moved' })
  expect((await first.memory('ada').latest())?.data).toEqual({ mood: 'calm' })
})

test('wallets that share an API key share the lines of its names', async () => {
  const apiKey = 'key-of-the-team'
  const { clientAt } = await openClientHarness({ apiKey }, { config: { apiKeys: [apiKey] } })
  await clientAt({ account: other }).memory('ada').save(memoryOf('calm'))
  const second = clientAt({ account: stranger }).memory('ada', { seen: 'last' })
  expect((await second.save(memoryOf('glad'))).version).toBe(2)
})

test('no name is renamed to one that has versions', async () => {
  const { client } = await openClientHarness()
  const [ada, bo] = [client.memory('ada'), client.memory('bo')]
  await ada.save(memoryOf('calm'))
  const saved = await bo.save(memoryOf('glad'))
  await expect(ada.rename('bo')).rejects.toMatchObject({ code: 'name/taken' })
  await expect(ada.rename('Bo')).rejects.toMatchObject({ code: 'name/malformed' })
  expect((await bo.find()).tokenId).toBe(saved.tokenId)
})

test.each(['', '.', '..', '../x', '%2e%2e', 'a/..', '?', '#'])(
  'no other path is reached by the name %j',
  async (name) => {
    const { client } = await openClientHarness()
    const malformed = expect.objectContaining({ code: 'name/malformed' })
    expect(() => client.memory(name)).toThrow(malformed)
    await expect(client.memory('ada').rename(name)).rejects.toEqual(malformed)
  },
)

test('a forgotten name begins anew, and its token stays', async () => {
  const { client } = await openClientHarness()
  const ada = client.memory('ada')
  const first = await ada.save(memoryOf('calm'))
  expect(await ada.forget()).toBeUndefined()
  await expect(ada.forget()).rejects.toMatchObject({ code: 'name/not-found' })
  expect((await client.download(first.tokenId)).data).toEqual({ mood: 'calm' })
  const again = await ada.save(memoryOf('glad'))
  expect([again.version, (await client.info(again.tokenId)).parent]).toEqual([1, '0'])
})

test('a line that began since is not forgotten', async () => {
  const { client } = await openClientHarness()
  const [ada, other] = [client.memory('ada'), client.memory('ada')]
  await ada.save(memoryOf('calm'))
  await other.latest()
  const second = await other.save(memoryOf('glad'))
  await expect(ada.forget()).rejects.toMatchObject({
    code: 'name/moved',
    facts: { tokenId: second.tokenId, version: 2 },
  })
  expect((await ada.find()).tokenId).toBe(second.tokenId)
  await other.forget()
  expect((await client.names()).items).toEqual([])
})

test('a try after a lost answer does not forget a line that has begun since', async () => {
  let losing = false
  const unreliable: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (init?.method !== 'DELETE' || !losing) return response
    losing = false
    await client.memory('ada').save(memoryOf('anew'))
    throw new TypeError('The connection was lost.')
  }
  const { client } = await openClientHarness({ fetch: unreliable })
  const ada = client.memory('ada')
  await ada.save(memoryOf('calm'))
  losing = true
  await expect(ada.forget()).rejects.toMatchObject({ code: 'name/moved' })
  expect((await client.memory('ada').latest())?.data).toEqual({ mood: 'anew' })
})

test('a change whose answer is lost is found done', async () => {
  const lost: string[] = []
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const method = `${init?.method}`
    if (!['PATCH', 'DELETE'].includes(method) || lost.includes(method)) return response
    lost.push(method)
    throw new TypeError('The connection was lost.')
  }
  const { client } = await openClientHarness({ fetch: losing })
  const saved = await client.memory('ada').save(memoryOf('calm'))
  expect(await client.memory('ada').rename('bo')).toMatchObject({
    name: 'bo',
    last: { tokenId: saved.tokenId },
  })
  await client.memory('bo').forget()
  expect((await client.names()).items).toEqual([])
  expect(lost).toEqual(['PATCH', 'DELETE'])
})

test('a value is removed from the version that was seen, and the rest keeps its bytes', async () => {
  const { client } = await openClientHarness()
  const ada = client.memory('ada')
  const textOf = (notes: string) =>
    `{"data":{"n":1.50,"notes":${notes}},"metadata":{"category":"x"}}`
  await ada.save({ document: textOf('["a", "b"]') })
  expect(await ada.remove('/data/notes/0')).toMatchObject({ version: 2 })
  const read = async (version: number) => new TextDecoder().decode((await ada.at(version)).document)
  expect([await read(2), await read(1)]).toEqual([textOf('["b"]'), textOf('["a", "b"]')])

  await expect(ada.remove('/data/notes/1')).rejects.toMatchObject({
    code: 'part/not-found',
    facts: { pointer: '/data/notes/1', problem: 'the list at "/data/notes" has 1 items' },
  })
  await client.memory('ada', { seen: 'last' }).remove('/data/n')
  await expect(ada.remove('/data/notes/0')).rejects.toMatchObject({ code: 'name/moved' })
  await expect(client.memory('bo').remove('/data/n')).rejects.toMatchObject({
    code: 'name/not-found',
  })
})

test('a save of the bytes of the last version makes no other one', async () => {
  const { client, clientAt } = await openClientHarness()
  const ada = client.memory('ada')
  const long = { data: { text: 'tide '.repeat(60_000) }, metadata: { category: 'research' } }
  for (const memory of [memoryOf('calm'), long]) {
    const first = await ada.save(memory)
    expect(first).not.toHaveProperty('unchanged')
    const { version, tokenId } = first
    for (const seen of [tokenId, 'last'] as const) {
      const again = await client.memory('ada', { seen }).save(memory)
      expect(again).toEqual({ ...first, timestamp: again.timestamp, unchanged: true })
    }
    expect((await ada.find()).version).toBe(version)
    expect((await ada.save(memory)).tokenId).toBe(tokenId)
  }
  const changes = [
    { ...long, metadata: { category: 'research', mood: 'calm' } },
    { ...long, data: { text: 'Tide '.repeat(60_000) } },
    { ...long, card: { title: 'Tides' } },
    { ...long, recipient: other.address },
  ]
  for (const memory of changes) expect(await ada.save(memory)).not.toHaveProperty('unchanged')
  expect((await ada.find()).version).toBe(6)
  // It belongs to another account, which the saver is not.
  const back = await clientAt({ account: agent })
    .memory('ada', { seen: 'last' })
    .save(long)
    .catch(({ code }) => code)
  expect(back).not.toHaveProperty('unchanged')
})

test('a save after an earlier version is refused, whatever its bytes', async () => {
  const { client } = await openClientHarness()
  const first = await client.memory('ada').save(memoryOf('calm'))
  const seen = client.memory('ada', { seen: first.tokenId })
  await client.memory('ada', { seen: first.tokenId }).save(memoryOf('glad'))
  for (const mood of ['calm', 'glad']) {
    await expect(seen.save(memoryOf(mood))).rejects.toMatchObject({ code: 'name/moved' })
  }
})
