import { walletKeys, wallets } from '@heirloom/testkit'
import fc from 'fast-check'
import type { Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createClient } from '../../packages/http/src/client/client.ts'
import { openWallet } from '../../packages/http/src/wallet/open-wallet.ts'
import { read } from '../docs/docs.ts'
import { agentOf } from '../harness/process/server.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { runScript } from '../harness/python/scripts.ts'

const server = sharedServer()
const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/)

test('a script makes, reads, lists, buys, rents, forks and pays', async () => {
  const script = `
mine = client.snapshot({'learned': ['short answers']}, category, card={'title': 'Answers'})
memory = client.download(mine['tokenId'])
listed = client.list(mine['tokenId'], price=10**18, rental_price_per_day=7, fork_price='9', fork_royalty_bps=500)
terms = client.listing(int(mine['tokenId']))
rented = client.rent(mine['tokenId'], duration_days=2, max_price=14)
theirs = Heirloom(client._url, address=os.environ['OTHER']).fork(mine['tokenId'], max_price=9)
child = client.fork(mine['tokenId'], max_price=9, max_royalty_bps=500)
paid = client.royalty(mine['tokenId'], amount=3)
bought = client.buy(mine['tokenId'], max_price=10**18, recipient=os.environ['OTHER'])
print(json.dumps({
    'data': memory.data, 'metadata': memory.metadata, 'document': memory.document.decode(),
    'record': client.info(mine['tokenId']), 'hash': memory.content_hash, 'salt': memory.salt,
    'terms': terms, 'childData': client.download(child['tokenId']).data,
    'sent': [it['txHash'] for it in (mine, listed, rented, child, paid, bought)],
    'expiresAt': rented['expiresAt'], 'refused': failure_of(lambda: client.download(theirs['tokenId'])),
}))`
  const { address: other = '' } = wallets[1] ?? {}
  const done = await runScript(server, script, { OTHER: other })
  expect(done).toMatchObject({
    data: { learned: ['short answers'] },
    metadata: { category: 'support' },
    document: '{"data":{"learned":["short answers"]},"metadata":{"category":"support"}}',
    record: { creator: agentOf(server.home).address },
    terms: { price: `${10n ** 18n}`, rentalPricePerDay: '7', forkPrice: '9', forkRoyaltyBps: 500 },
    childData: { learned: ['short answers'] },
    sent: Array(6).fill(hash),
    expiresAt: expect.stringMatching(/^\d{10}$/),
    refused: { code: 'access/denied', status: 403 },
  })
})

test('a script reads inside a memory', async () => {
  const script = `
token = client.snapshot({'notes': ['Rain', 'sun', 9007199254740993]}, category)['tokenId']
found = client.search(token, 'rain')
last = client.part(token, '/data/notes/2')
print(json.dumps({
    'outline': client.outline(token, '/data', depth=1), 'found': found['matches'],
    'value': str(last.value), 'text': last.text.decode(), 'digest': last.digest,
    'selected': client.select(token, '$.data.notes[-2:]', limit=1),
    'missing': failure_of(lambda: client.part(token, '/data/none')),
}))`
  expect(await runScript(server, script)).toMatchObject({
    outline: { members: [{ pointer: '/data/notes', type: 'array', count: 3 }] },
    found: [{ pointer: '/data/notes/0', in: 'value', match: 'Rain' }, { match: 'sun' }, {}],
    value: '9007199254740993',
    text: '9007199254740993',
    digest: hash,
    selected: { matches: [{ pointer: '/data/notes/1', text: '"sun"' }], next: expect.any(String) },
    missing: { code: 'part/not-found', status: 404 },
  })
})

test('a name has its versions, and refuses a save after another than its last', async () => {
  const script = `
none = client.latest('ada/söl')
first = client.save('ada/söl', {'day': 1}, category, after=none)
seen = client.latest('ada/söl')
client.save('ada/söl', {'day': 2}, category, after=seen)
lost = failure_of(lambda: client.save('ada/söl', {'day': 3}, category, after=seen))
third = client.save('ada/söl', {'day': 3}, category, after=lost['facts']['tokenId'])
log = client.log('ada/söl', limit=2)
earlier = client.log('ada/söl', after=log['next'])
print(json.dumps({
    'none': none, 'first': first, 'lost': lost, 'third': third,
    'versions': [it['version'] for it in log['items'] + earlier['items']],
    'last': client.latest('ada/söl').data,
    'second': [client.at('ada/söl', it).data for it in (2, '2')],
    'asOf': client.at('ada/söl', '9999-12-31').data,
    'none of': [failure_of(lambda it=it: client.at('ada/söl', it)) for it in (9, '2001-01-01', 'x')],
    'unknown': failure_of(lambda: client.save('ada/söl', {}, category, after=None)),
}))`
  expect(await runScript(server, script)).toMatchObject({
    none: null,
    first: { version: 1 },
    lost: { kind: 'NameMoved', code: 'name/moved', status: 409, facts: { version: 2 } },
    third: { version: 3 },
    versions: [3, 2, 1],
    last: { day: 3 },
    second: [{ day: 2 }, { day: 2 }],
    asOf: { day: 3 },
    'none of': [
      { code: 'client/no-version' },
      { code: 'client/no-version', facts: { version: '2001-01-01' } },
      { code: 'value/invalid' },
    ],
    unknown: { kind: 'NameMoved' },
  })
})

test('a name loses one value, and every other character stays', async () => {
  const script = `
text = '{"data":{"big":12345678901234567890,"a/b" : {"x":1 , "x":2}, "notes":["a", "b" , "c"] },"metadata":{"category":"x"}}'
saved = client.save('pruned', document=text, after=None)
seen = client.latest('pruned')
texts = []
for place in ('/data/notes/1', '/data/notes/1', '/data/notes/0', '/data/a~1b', '/data/notes', '/data/big'):
    client.remove('pruned', place)
    texts.append(client.latest('pruned').document.decode())
print(json.dumps({
    'texts': texts,
    'late': failure_of(lambda: client.remove('pruned', '/data/big', after=saved)),
    'first': client.at('pruned', 1).document.decode() == text,
    'unknown': failure_of(lambda: client.remove('nobody', '/data/a')),
    'missing': [failure_of(lambda it=it: client.remove('pruned', it, after=seen)) for it in (
        '/data/notes/3', '/data/notes/01', '/data/none', '/data/a~1b/x', '/data/big/0', '/data', '', '/metadata/category',
    )],
}))`
  const rest = '},"metadata":{"category":"x"}}'
  const start = '{"data":{"big":12345678901234567890'
  const pair = ',"a/b" : {"x":1 , "x":2}'
  expect(await runScript(server, script)).toMatchObject({
    texts: [
      `${start}${pair}, "notes":["a", "c"] ${rest}`,
      `${start}${pair}, "notes":["a"] ${rest}`,
      `${start}${pair}, "notes":[] ${rest}`,
      `${start},"notes":[] ${rest}`,
      `${start} ${rest}`,
      `{"data":{ ${rest}`,
    ],
    late: { kind: 'NameMoved' },
    first: true,
    unknown: { code: 'name/not-found' },
    missing: Array(8).fill({ code: 'part/not-found' }),
  })
})

test('of two scripts that save at once one loses and saves after it', async () => {
  const script = `
def visit(moved=0):
    newest = client.latest('race')
    data = {'visits': (newest.data['visits'] if newest else 0) + 1}
    try:
        return {'moved': moved, **client.save('race', data, category, after=newest)}
    except NameMoved:
        return visit(moved + 1)
print(json.dumps([visit() for _ in range(3)]))
`
  await Promise.all([runScript(server, script), runScript(server, script)])
  const last = `print(json.dumps(client.latest('race').data))`
  expect(await runScript(server, last)).toEqual({ visits: 6 })
})

test('any bundle comes back with its exact bytes, and Python reads the same from it', async () => {
  const value = fc.oneof(
    fc.json({ depthSize: 'small' }),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
    fc.string({ unit: 'grapheme' }).map((it) => JSON.stringify(it)),
    fc.constantFrom('1.0', '-0', '1e400', '"\\ud834\\udd1e \\u0000"', ' [ 1 ] '),
  )
  const documents = [
    `{"data":{"big":9223372036854775807,"text":"Zoë 🎻\u2028"},"metadata":{"category":"x"}}`,
    ...fc
      .sample(value, { numRuns: 12, seed: 5 })
      .map((it) => `{"data":{"it":${it}},"metadata":{"category":"x"}}`),
  ]
  const script = `
texts = json.loads(os.environ['DOCUMENTS'])
made = [client.snapshot(document=text if at % 2 else text.encode(), recipient=address)
        for at, text in enumerate(texts)]
memories = [client.download(it['tokenId']) for it in made]
assert all(memory.content_hash == it['contentHash'] for memory, it in zip(memories, made))
assert repr(memories[0].data['big']) == '9223372036854775807'
# What Python writes of what it read is what it reads of it again.
memory = memories[0]
again = client.download(client.snapshot(memory.data, memory.metadata)['tokenId'])
assert again.data == memory.data, again.document
print(json.dumps([it.document.hex() for it in memories]))
`
  const read = (await runScript(server, script, {
    DOCUMENTS: JSON.stringify(documents),
  })) as string[]
  expect(read.map((hex) => Buffer.from(hex, 'hex').toString())).toEqual(documents)
})

test('what a caller saves and snapshots is its own, unless it says otherwise', async () => {
  const script = `
other = Heirloom(client._url, address=os.environ['OTHER'])
made = [
    other.snapshot({'a': 1}, category), other.save('own', {'a': 1}, category, after=None),
    other.snapshot({'a': 1}, category, recipient=address),
    other.snapshot({'a': 1}, category, recipient='server'),
    Heirloom(client._url).snapshot({'a': 1}, category),
]
saved = client.save('mine', {'a': 1}, category, after=None)
saved = client.save('mine', {'a': 2}, category, after=saved)
print(json.dumps([
    [client.lineage(it['tokenId'])['token']['owner'] for it in made],
    client.latest('mine').data, saved['version'],
    failure_of(lambda: Heirloom(client._url).save('none', {}, category, after=None))['code'],
]))`
  const { address: other = '' } = wallets[1] ?? {}
  const own = agentOf(server.home).address
  const owners = [other, other, own, own, own]
  const expected = [owners, { a: 2 }, 2, 'client/no-account']
  expect(await runScript(server, script, { OTHER: other })).toEqual(expected)
})

test('what an account saves with its signature is its own, and what its address alone saves is not', async () => {
  const account = privateKeyToAccount(walletKeys[2] as `0x${string}`)
  const script = `
unsigned = Heirloom(client._url, address=address)
first = client.save('signed', {'a': 1}, category, after=None)
made = [
    first, client.save('signed', {'a': 2}, category, after=first), client.snapshot({'a': 1}, category),
    unsigned.save('unsigned', {'a': 1}, category, after=None), unsigned.snapshot({'a': 1}, category),
]
print(json.dumps([
    [it['tokenId'] for it in made], client.latest('signed').data,
    [it['name'] for it in client.each(client.names) if 'signed' in it['name']],
    failure_of(lambda: unsigned.log('signed'))['code'],
]))`
  const [made, ...named] = (await runScript(server, script, {}, account)) as [
    string[],
    ...unknown[],
  ]
  expect(named).toEqual([{ a: 2 }, ['signed', 'unsigned'], 'name/not-found'])
  const own = made.map((it) => createClient({ url: server.url, account }).isOwn(it))
  expect(await Promise.all(own)).toEqual([true, true, true, false, false])
})

test('a script finds memories, names and offers, page by page, and follows events', async () => {
  const script = `
tokens = [client.snapshot({'n': at}, category, card={'title': 'Chess ' + str(at), 'category': 'chess'})['tokenId'] for at in range(3)]
for at, token in enumerate(tokens):
    client.list(token, price=5 + at)
first = client.save('found', {'a': 1}, category, after=None)
found = list(client.each(client.listings, category='chess', max_price=6, sort='price', order='asc', offer=['sale'], limit=1))
matches = list(client.each(client.select, first['tokenId'], '$.data.*', limit=1))
events = client.events(after='start', kind=['mint', 'listing'], token_id=tokens[0])
print(json.dumps({
    'found': [it['tokenId'] == token for it, token in zip(found, tokens)] + [len(found)],
    'matches': len(matches),
    'memories': sorted(it['tokenId'] for it in client.memories(search='chess')['items']) == sorted(tokens),
    'names': [it['name'] for it in client.each(client.names, limit=1)],
    'events': [next(events)['kind'] for _ in range(2)],
    'closed': events.close(),
    'refused': failure_of(lambda: client.listings(maxprice=1))['code'],
}))`
  expect(await runScript(server, script)).toEqual({
    found: [true, true, 2],
    matches: 1,
    memories: true,
    names: expect.arrayContaining(['found']),
    events: ['mint', 'listing'],
    closed: null,
    refused: 'request/malformed',
  })
})

test('an owner erases a memory, and no other account does', async () => {
  const script = `
token = client.snapshot({'a': 'secret'}, category)['tokenId']
other = Heirloom(client._url, sign=sign, address=os.environ['OTHER'])
refused = failure_of(lambda: other.erase(token))['status']
erased = client.erase(token)
print(json.dumps([refused, erased['tokenId'] == token, failure_of(lambda: client.download(token))['code']]))`
  const { address: other = '' } = wallets[1] ?? {}
  const expected = [403, true, 'memory/erased']
  expect(await runScript(server, script, { OTHER: other })).toEqual(expected)
})

test('no text of an object has a key or a memory, and a client forgets its key after a with statement', async () => {
  const script = `
with Heirloom(client._url, 'key-of-mine', sign, address) as mine:
    token = client.snapshot({'a': 'secret'}, category)['tokenId']
    memory = mine.download(token)
    texts = repr([mine, memory, mine.part(token, '/data/a')])
left = [word in texts for word in ('secret', 'key-of-mine')]
silent = Heirloom(client._url, sign=lambda text: None, address=address)
print(json.dumps([left, failure_of(lambda: mine.download(token))['code'], failure_of(lambda: silent.download(token))['code']]))`
  const expected = [[false, false], 'client/no-account', 'proof/malformed']
  expect(await runScript(server, script)).toEqual(expected)
})

test('a script reads by a grant of another, and lists and revokes its own', async () => {
  const agent = agentOf(server.home)
  const [mine, theirs] = await Promise.all(
    [agent, wallets[1]].map((account) => openWallet({ url: server.url, account, relay: true })),
  )
  const memory = { data: { notes: ['rain'] }, metadata: { category: 'support' } }
  const { tokenId = '' } = (await theirs?.snapshot(memory)) ?? {}
  const own = await createClient({ url: server.url }).snapshot(memory)
  const expires = Math.floor(Date.now() / 1000) + 3600
  const received = await theirs?.grant({ tokenId, reader: agent.address, expires })
  const made = { tokenId: own.tokenId, reader: wallets[1].address, expires, label: 'auditor' }
  const granted = await mine?.grant(made)
  const other = await mine?.grant({ ...made, label: 'helper' })
  const script = `
token, own, grant = (os.environ[it] for it in ('TOKEN', 'OWN', 'GRANT'))
reader = client.granted(grant)
client.download(own)
def refused_value(call):
    try:
        call()
    except ValueError as error:
        return str(error)
listed = [it['id'] for it in client.grants(limit=100)['items']]
client.revoke(os.environ['MADE'])
seen = lambda: [it['id'] for it in client.received_grants(limit=100)['items']]
received = [seen(), client.accept_grants(os.environ['OWNER']), seen(), client.ignore_grants(os.environ['OWNER']), seen()]
received.append(failure_of(lambda: client.accept_grants('0x' + '11' * 20))['code'])
print(json.dumps({
    'data': reader.download(token).data, 'outline': reader.outline(token)['type'],
    'part': reader.part(token, '/data/notes/0').value,
    'selected': len(reader.select(token, '$.data.notes[*]')['matches']),
    'found': reader.search(token, 'rain')['matches'][0]['pointer'],
    'refused': [failure_of(it)['code'] for it in (
        lambda: client.download(token), lambda: reader.download(own), lambda: client.granted('0x1'),
        lambda: reader.openings(token), lambda: reader.latest('ada'), lambda: reader.names(),
        lambda: reader.snapshot({}, {'category': 'x'}))],
    'listed': listed, 'left': [it['id'] for it in client.grants()['items']],
    'received': received,
    'openings': client.openings(own, limit=1)['next'] is None,
    'none': refused_value(lambda: client.revoke(None)),
    'kept': [it['id'] for it in client.grants()['items']],
    'all': client.revoke_all(), 'ended': client.grants()['items'],
}))`
  const ids = {
    TOKEN: tokenId,
    OWN: own.tokenId,
    GRANT: received?.id ?? '',
    MADE: granted?.id ?? '',
    OWNER: wallets[1].address,
  }
  const done = await runScript(server, script, ids)
  expect(done).toMatchObject({
    data: memory.data,
    outline: 'object',
    part: 'rain',
    selected: 1,
    found: '/data/notes/0',
    refused: [
      'access/denied',
      'access/denied',
      'value/invalid',
      'token/not-owner',
      'access/denied',
      'value/invalid',
      'value/invalid',
    ],
    listed: expect.arrayContaining([granted?.id]),
    received: [[], null, [received?.id], null, [], 'grant/not-found'],
    openings: true,
    none: 'revoke needs the id of a grant; revoke_all() ends all of them.',
    kept: [other?.id],
    all: null,
    ended: [],
  })
  expect((done as { readonly left: readonly string[] }).left).not.toContain(granted?.id)
})

test('a script saves to a name of another by a grant with that right, and by no other', async () => {
  const { address: reader } = agentOf(server.home)
  const [, account] = wallets
  const owner = createClient({ url: server.url, account })
  const shared = owner.memory('shared')
  await shared.save({ data: { notes: ['rain'] }, metadata: { category: 'x' } })
  const wallet = await openWallet({ url: server.url, account })
  const terms = { name: 'shared', reader, expires: Math.floor(Date.now() / 1000) + 3600 }
  const saves = await wallet.grant({ ...terms, rights: 'read and save' })
  const reads = await wallet.grant(terms)
  const script = `
name = os.environ['NAME']
saver, reader = (client.granted(os.environ[it]) for it in ('SAVES', 'READS'))
first = reader.latest(name)
def save(by, to=name, after=first, **more):
    return by.save(to, {'notes': ['rain', 'tea']}, first.metadata, after=after, **more)
refused = [failure_of(it)['code'] for it in (
    lambda: save(reader), lambda: save(client.granted('0x' + 'ab' * 32)), lambda: save(saver, name + 's'),
    lambda: save(saver, 'shared'), lambda: save(saver, recipient=address),
    lambda: reader.remove(name, '/data/notes/0'))]
second = save(saver)
moved = [failure_of(lambda: save(saver))['code'], failure_of(lambda: saver.remove(name, '/data/notes/0', after=first))['code']]
third = saver.remove(name, '/data/notes/0')
print(json.dumps({
    'refused': refused, 'moved': moved, 'versions': [second['version'], third['version']],
    'data': reader.at(name, 3).data, 'log': [it['savedBy'] for it in reader.log(name)['items']],
}))`
  const named = { NAME: `${account.address}:shared`, SAVES: saves.id, READS: reads.id }
  expect(await runScript(server, script, named)).toEqual({
    refused: [
      'access/denied',
      'access/denied',
      'name/malformed',
      'name/malformed',
      'value/invalid',
      'access/denied',
    ],
    moved: ['name/moved', 'name/moved'],
    versions: [2, 3],
    data: { notes: ['tea'] },
    log: [reader, reader, account.address],
  })
  await owner.revokeGrant(saves.id)
  const late = `print(json.dumps(failure_of(lambda: client.granted(os.environ['SAVES']).save(os.environ['NAME'], {}, {'category': 'x'}, after=None))['code']))`
  expect(await runScript(server, late, named)).toBe('access/denied')
  expect((await shared.log()).items).toHaveLength(3)
})

test('a script grants a name and a token with two signatures each, and hears of an earlier grant', async () => {
  const { address: reader } = agentOf(server.home)
  const [, account] = wallets
  const owner = createClient({ url: server.url, account })
  const first = await owner.memory('python').save({ data: { a: 1 }, metadata: { category: 'x' } })
  const script = `
from types import SimpleNamespace
signed = []
def sign_text(text):
    signed.append(text.splitlines()[0])
    return sign(text)
client._sign = sign_text
def sign_typed(typed):
    signed.append(typed['message']['statement'])
    with urlopen(os.environ['SIGNER'] + '/typed', data=json.dumps(typed).encode()) as response:
        message_hash, signature = json.load(response)
    return SimpleNamespace(message_hash=bytes.fromhex(message_hash[2:]), signature=bytes.fromhex(signature[2:]))
def grant(**more):
    return client.grant(os.environ['READER'], int(os.environ['EXPIRES']), sign_typed, **more)
client._newest('python', 1)
signed.clear()
token = grant(token_id=os.environ['TOKEN'], label='a b-é')
texts = list(signed)
named = grant(name='python', save=True)
again = grant(name='python')
refused = [failure_of(it)['code'] for it in (
    lambda: grant(), lambda: grant(token_id=1, name='python'), lambda: grant(token_id=1, save=True),
    lambda: grant(token_id=os.environ['TOKEN'], transfers=7))]
print(json.dumps({'ids': [token['id'], named['id'], again['id']], 'texts': texts,
    'others': [[it['id'], it['rights']] for it in again['others']], 'refused': refused}))`
  const expires = Math.floor(Date.now() / 1000) + 3600
  const given = { READER: reader, EXPIRES: `${expires}`, TOKEN: first.tokenId }
  const done = (await runScript(server, script, given, account as LocalAccount)) as {
    readonly ids: readonly Hex[]
    readonly texts: readonly string[]
  }
  const [token, named, again] = done.ids
  expect(done).toMatchObject({
    texts: [
      expect.stringMatching(/^I let 0x.* read the memory of token \d+ until/),
      expect.stringContaining('wants you to sign in'),
    ],
    others: [[named, 'read and save']],
    refused: ['value/invalid', 'value/invalid', 'value/invalid', 'grant/malformed'],
  })
  const listed = (await owner.grants()).items.map(({ id, label }) => [id, label])
  expect(listed).toEqual(
    expect.arrayContaining([
      [token, 'a b-é'],
      [named, ''],
      [again, ''],
    ]),
  )
  const theirs = createClient({ url: server.url, account: agentOf(server.home) }).granted(
    named ?? '0x',
  )
  expect((await theirs.download(first.tokenId)).data).toEqual({ a: 1 })
})

test('an account that paid rates a memory, and everyone reads it', async () => {
  const seller = await openWallet({ url: server.url, account: wallets[1], relay: true })
  const { tokenId } = await seller.snapshot({ data: { a: 1 }, metadata: { category: 'support' } })
  const none = { price: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
  await seller.list({ tokenId, ...none, rentalPricePerDay: 7n })
  const script = `
token = os.environ['TOKEN']
refused = [failure_of(lambda: client.rate(token, score))['code'] for score in (0, 6, '5', True, 5)]
client.rent(token, duration_days=1)
rated = client.rate(token, 4, 'Saved me a week: ☕')
print(json.dumps([refused, rated, client.ratings(token)]))`
  const rating = { score: 4, comment: 'Saved me a week: ☕', act: 'rent' }
  expect(await runScript(server, script, { TOKEN: tokenId })).toMatchObject([
    [...Array(4).fill('value/invalid'), 'rating/not-paid'],
    rating,
    { items: [rating], counts: [0, 0, 0, 1, 0], next: null },
  ])
})

test('a value that is refused is shown only where it is short', async () => {
  const script = `
key, memory = '0x' + 'ab' * 32, {'secret': 'tea'}
calls = [lambda: client.info(key), lambda: client.info(memory), lambda: client.save('x', {}, category, after=memory)]
print(json.dumps([[it['code'], it['detail']] for it in map(failure_of, calls)]))`
  const failures = (await runScript(server, script)) as readonly (readonly string[])[]
  expect(failures.map(([code]) => code)).toEqual(Array(3).fill('value/invalid'))
  expect(failures.join()).not.toMatch(/abab|tea/)
})

test('a script lists in dollars, and reads what an account earned', async () => {
  const script = `
token = client.snapshot({'a': 1}, category, recipient='server')['tokenId']
client.list(token, dollars={'price': 5_000_000, 'fork_price': '250000'}, fork_royalty_bps=500)
terms = client.listing(token)
def refusal_of(**more):
    try:
        client.list(token, **more)
    except (TypeError, ValueError) as error:
        return str(error)
print(json.dumps({
    'terms': terms, 'found': [it['tokenId'] == token for it in client.listings(currency='dollar')['items']],
    'refused': [refusal_of(dollars={'Price': 1}), refusal_of(dollars={}), refusal_of(dollars={'price': 0})],
    'invalid': failure_of(lambda: client.list(token, dollars={'price': 0.5}))['facts']['kind'],
    'earned': [client.earnings(), client.earnings(os.environ['OTHER'])],
    'nobody': failure_of(lambda: Heirloom(client._url).earnings())['code'],
}))`
  const { address: other = '' } = wallets[1] ?? {}
  const none = 'Pass one of price, rental_price_per_day, fork_price; unlist takes a token down.'
  expect(await runScript(server, script, { OTHER: other })).toMatchObject({
    terms: {
      price: '0',
      forkRoyaltyBps: 500,
      dollars: { price: '5000000', rentalPricePerDay: '0', forkPrice: '250000' },
    },
    found: [true],
    refused: ["dollars has no 'Price', but price, rental_price_per_day, fork_price.", none, none],
    invalid: 'price',
    earned: [
      { sales: expect.any(String), dollars: { sales: '0' } },
      { sales: '0', dollars: { credit: '0' } },
    ],
    nobody: 'client/no-account',
  })
})

test('only unlist takes a listing down', async () => {
  const script = `
token = client.snapshot({'a': 1}, {'category': 'x'})['tokenId']
client.list(token, price=5)
try:
    client.list(token)
except ValueError as error:
    refused = str(error)
before = client.listing(token)['price']
client.unlist(token)
print(json.dumps([refused, before, client.listing(token)['price']]))
`
  const refused = 'Pass one of price, rental_price_per_day, fork_price; unlist takes a token down.'
  expect(await runScript(server, script)).toEqual([refused, '5', '0'])
})

test('a document is refused with the place where it is no JSON, and sealed without a byte order mark', async () => {
  const script = `
def problem_of(document):
    return failure_of(lambda: client.snapshot(document=document))['facts']['problem']
whole = '{"data":{"n":1.50},"metadata":{"category":"x"}}'
marked = client.snapshot(document='\\ufeff' + whole)['tokenId']
try:
    client.snapshot(document={'data': {}})
except TypeError as error:
    refused = str(error)
print(json.dumps([
    problem_of(whole.encode('utf-16')), problem_of(b'{"a":\\n "\\xe9"}'), problem_of('{"a":\\n x}'),
    problem_of('{"data":{"a":"NaN",\\n "b":[-Infinity]}}'), client.download(marked).document.decode() == whole,
    client.download(client.snapshot(document=whole.replace('1.50', '1' * 5000))['tokenId']).document.count(b'1'), refused,
]))`
  expect(await runScript(server, script)).toEqual([
    'it is UTF-16; save it as UTF-8',
    'it is not UTF-8 text (line 2, column 3)',
    'it is not JSON (line 2, column 2)',
    'it has Infinity (line 2, column 8), which JSON does not have',
    true,
    5000,
    '`document` is JSON text, str or bytes; pass dicts as `data` and `metadata`.',
  ])
})

test('no member of a document is taken for an option, whatever else Python cannot read in it', async () => {
  const script = `
refused = []
rest = ('1', '1' * 5000, '[' * 900 + ']' * 900)
for (name, value), inner in zip((('recipient', address), ('card', {'title': 'public'}), ('note', 1)), rest):
    document = '{"data":{"n":%s},"metadata":{"category":"x"},%s:%s}' % (inner, json.dumps(name), json.dumps(value))
    try:
        client.snapshot(document=document)
    except HeirloomError as error:
        refused.append([error.code, name in str(error)])
print(json.dumps(refused))
`
  const found = await runScript(server, script)
  expect(found).toEqual(['recipient', 'card', 'note'].map(() => ['bundle/malformed', true]))
})

test('the guide lists every call, and no other', async () => {
  const script = `
calls = [it for it in vars(Heirloom) if not it.startswith('_')]
undocumented = [it for it in calls if not getattr(Heirloom, it).__doc__]
print(json.dumps([sorted(calls), undocumented]))`
  const guide = read('docs/guides/python.md')
  const [, list = ''] =
    /`help\(Heirloom\)` in Python shows each call [^:]*: ([^.]*)\./.exec(guide) ?? []
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(await runScript(server, script)).toEqual([named.toSorted(), []])
})
