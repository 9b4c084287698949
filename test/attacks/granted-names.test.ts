import { createHash } from 'node:crypto'
import { typedGrant } from '@heirloom/adapters/internal/acts'
import {
  account,
  type Grant,
  grantStatement,
  type Hex,
  type Holding,
  type Ledger,
  type Names,
  tokenId,
  wei,
} from '@heirloom/core'
import { memoryNames, wallets } from '@heirloom/testkit'
import { concat, hashTypedData, type LocalAccount } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { encodeGrant } from '../../packages/http/src/api/encode-records.ts'
import {
  boundText,
  depositText,
  grantedText,
  namesText,
  revokeText,
} from '../../packages/http/src/api/signed-texts.ts'
import {
  addressOf,
  agent,
  deployment,
  openHarness,
  other as owner,
  stranger as reader,
  type ServerHarness,
  secondsOf,
} from '../../packages/http/test/server-harness.ts'

const origin = 'http://localhost'
const { chainId, registry } = deployment
const place = { chainId, registry, host: 'localhost' }
const dan = wallets[3] as typeof agent
const aDay = 86_400
const unknown: Hex = `0x${'ab'.repeat(32)}`
const metadata = { category: 'research' }

type Call = { readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; readonly path: string }

/** Sends a request that an account signs, as for names. */
async function send(
  harness: ServerHarness,
  by: LocalAccount,
  { method, path, key, ...given }: Call & { readonly body?: object; readonly key?: string },
) {
  const payload = given.body && Buffer.from(JSON.stringify(given.body))
  const sum = payload && createHash('sha256').update(payload).digest('hex')
  const timestamp = secondsOf(harness)
  const signed = { account: by.address, timestamp, method, path }
  const message = namesText(place, { ...signed, ...(sum && { bodyDigest: `0x${sum}` as const }) })
  const headers = {
    'x-wallet-address': by.address,
    'x-timestamp': `${timestamp}`,
    'x-signature': await by.signMessage({ message }),
    ...(payload && { 'content-type': 'application/json' }),
    ...(key && { 'idempotency-key': key }),
  }
  return harness.server.inject({ method, url: path, headers, ...(payload && { payload }) })
}

/** Saves the next version of a name, for the account that signs by default. Returns its token. */
async function save(harness: ServerHarness, text: string, { name = 'ada', by = owner } = {}) {
  const body = { data: { text }, metadata, name, recipient: by.address }
  const reply = await send(harness, by, { method: 'POST', path: '/api/memory/snapshot', body })
  expect([reply.statusCode, text]).toEqual([201, text])
  return reply.json().tokenId as string
}

type Change = Partial<Omit<Grant, 'salt'>> & { readonly salt?: Hex }

/** Returns a grant of the name `ada` by its owner, which begins with a token. */
async function grantOf(harness: ServerHarness, first: string, change: Change = {}): Promise<Grant> {
  const of = tokenId(first)
  const holding = await harness.chain.ledger(addressOf(agent)).holding(of)
  if (holding === undefined) throw new Error('There is no such token.')
  const issuedAt = secondsOf(harness)
  const terms = {
    owner: addressOf(owner),
    reader: addressOf(reader),
    tokenId: of,
    transferCount: 0n,
    digest: holding.digest,
    name: 'ada',
    rights: 'read',
    holders: [origin],
    issuedAt,
    expires: issuedAt + aDay,
    salt: `0x${'5a'.repeat(32)}` as const,
    ...change,
  }
  return { ...terms, statement: change.statement ?? grantStatement(terms) }
}

/** Signs a grant, and its deposit, and brings both, each signature with more behind it. */
async function deposit(
  harness: ServerHarness,
  grant: Grant,
  signer: LocalAccount = owner,
  tail = '',
) {
  const typed = typedGrant(grant, { chainId, address: account(registry) })
  const timestamp = secondsOf(harness)
  const claim = { grant: hashTypedData(typed), owner: grant.owner, label: 'secretary', timestamp }
  const message = depositText({ origin, chainId }, claim)
  const payload = {
    grant: encodeGrant(grant),
    signature: `${await signer.signTypedData(typed)}${tail}`,
    label: 'secretary',
    proof: { origin, timestamp, signature: `${await signer.signMessage({ message })}${tail}` },
  }
  return harness.server.inject({ method: 'POST', url: '/api/grants', payload })
}

/** Opens a server with two versions of the name `ada`, and a grant of it. */
async function openGranted(change: Change = {}, options?: Parameters<typeof openHarness>[0]) {
  const harness = openHarness(options)
  onTestFinished(() => harness.server.close())
  const versions = [await save(harness, 'one'), await save(harness, 'two')] as const
  const reply = await deposit(harness, await grantOf(harness, versions[0], change))
  expect(reply.statusCode).toBe(201)
  return { harness, versions, grant: reply.json().id as Hex }
}

const codeOf = ({ statusCode, body }: { readonly statusCode: number; readonly body: string }) =>
  statusCode < 300 ? statusCode : (JSON.parse(body).code as string)

type Reading = { readonly id: string; readonly grant: Hex; readonly wallet?: LocalAccount }

/** Opens the memory of a token by a grant. */
async function read(harness: ServerHarness, { id, grant, wallet = reader }: Reading) {
  const timestamp = secondsOf(harness)
  const { address } = wallet
  const claim = { tokenId: id, address, timestamp, grant }
  const message = grantedText({ origin, chainId, registry }, claim)
  const headers = {
    'x-wallet-address': address,
    'x-wallet-signature': await wallet.signMessage({ message }),
    'x-wallet-timestamp': `${timestamp}`,
  }
  return harness.server.inject({ url: `/api/granted/${grant}/memory/${id}`, headers })
}

/** Returns the versions of a granted name. */
const versionsOf = (harness: ServerHarness, grant: Hex, wallet: LocalAccount = reader, page = '') =>
  send(harness, wallet, { method: 'GET', path: `/api/granted/${grant}/versions${page}` })

/** Expects that a token opens not, with the same bytes as by an unknown grant. */
async function expectClosed(harness: ServerHarness, reading: Reading) {
  const refused = await read(harness, reading)
  const never = await read(harness, { ...reading, grant: unknown })
  expect([refused.statusCode, refused.body]).toEqual([403, never.body])
  expect(refused.json().code).toBe('access/denied')
}

/** Expects that a grant opens and lists nothing, as an unknown one. */
async function expectEnded(harness: ServerHarness, grant: Hex, ids: readonly string[]) {
  for (const id of ids) await expectClosed(harness, { id, grant })
  const [refused, never] = [await versionsOf(harness, grant), await versionsOf(harness, unknown)]
  expect([refused.statusCode, refused.body]).toEqual([403, never.body])
}

const pathOf = (name: string) => `/api/names/${encodeURIComponent(name)}`

const rename = (harness: ServerHarness, name: string, to: string) =>
  send(harness, owner, { method: 'PATCH', path: pathOf(name), body: { name: to } })

const give = (harness: ServerHarness, id: string, from: LocalAccount, to: LocalAccount) =>
  harness.chain.transfer(account(from.address), tokenId(id), account(to.address))

describe('a reader of a granted name', () => {
  test('reads each version, also those that come later, and lists them page by page', async () => {
    const { harness, versions, grant } = await openGranted()
    const all = [...versions, await save(harness, 'three')]
    for (const [at, id] of all.entries()) {
      const opened = await read(harness, { id, grant })
      expect([opened.statusCode, opened.json().data]).toEqual([
        200,
        { text: ['one', 'two', 'three'][at] },
      ])
    }
    const newest = (await versionsOf(harness, grant, reader, '?limit=2')).json()
    expect(newest).toMatchObject({ owner: owner.address, name: 'ada', next: expect.any(String) })
    const rest = await versionsOf(harness, grant, reader, `?limit=2&after=${newest.next}`)
    const listed = [...newest.items, ...rest.json().items]
    expect(listed.map((it: { tokenId: string }) => it.tokenId)).toEqual(all.toReversed())
    expect(JSON.stringify(newest)).not.toContain('secretary')
  })

  test('reads no other token and no other name of the owner, and nobody else reads', async () => {
    const { harness, versions, grant } = await openGranted()
    const second = await save(harness, 'other', { name: 'ben' })
    const alike = await save(harness, 'alike', { by: dan })
    const [first] = versions
    for (const id of [second, alike, '999']) await expectClosed(harness, { id, grant })
    for (const wallet of [owner, dan, agent]) {
      await expectClosed(harness, { id: first, grant, wallet })
      const refused = await versionsOf(harness, grant, wallet)
      expect([refused.body, refused.statusCode]).toEqual([
        (await versionsOf(harness, unknown, wallet)).body,
        403,
      ])
    }
  })

  test('proves itself: no claim, and no proof for another place, reads or lists', async () => {
    const { harness, versions, grant } = await openGranted()
    const [id] = versions
    const claimed = {
      ...dan,
      address: reader.address,
      signMessage: dan.signMessage,
    } as LocalAccount
    await expectClosed(harness, { id, grant, wallet: claimed })
    const refused = await versionsOf(harness, grant, claimed)
    expect([refused.body, refused.statusCode]).toEqual([
      (await versionsOf(harness, unknown, claimed)).body,
      403,
    ])
    const timestamp = secondsOf(harness)
    const { address } = reader
    const plain = boundText({ origin, chainId, registry }, { tokenId: id, address, timestamp })
    const headers = {
      'x-wallet-address': address,
      'x-wallet-signature': await reader.signMessage({ message: plain }),
      'x-wallet-timestamp': `${timestamp}`,
    }
    const url = `/api/granted/${grant}/memory/${id}`
    expect(codeOf(await harness.server.inject({ url, headers }))).toBe('access/denied')
  })

  test('has no names of the owner, and neither renames, forgets nor grants', async () => {
    const { harness, versions, grant } = await openGranted()
    const [first] = versions
    const found = await send(harness, reader, { method: 'GET', path: pathOf('ada') })
    expect(codeOf(found)).toBe('name/not-found')
    const listed = await send(harness, reader, { method: 'GET', path: '/api/names' })
    expect(listed.json().items).toEqual([])
    for (const call of [
      { method: 'PATCH', path: pathOf('ada'), body: { name: 'mine' } },
      { method: 'DELETE', path: pathOf('ada') },
    ] as const) {
      expect(codeOf(await send(harness, reader, call))).toBe('name/not-found')
    }
    const onward = { owner: addressOf(reader), reader: addressOf(dan) }
    const brought = await deposit(harness, await grantOf(harness, first, onward), reader)
    expect(codeOf(brought)).toBe('grant/malformed')
    expect((await read(harness, { id: first, grant })).statusCode).toBe(200)
  })
})

describe('a version', () => {
  test('that was sold opens no more, also where the owner buys it back; the others do', async () => {
    const { harness, versions, grant } = await openGranted()
    const [first, second] = versions
    await give(harness, second, owner, dan)
    await expectClosed(harness, { id: second, grant })
    await give(harness, second, dan, owner)
    await expectClosed(harness, { id: second, grant })
    expect((await read(harness, { id: first, grant })).statusCode).toBe(200)
  })

  test('that was saved for somebody else opens not, nor do those of a former owner', async () => {
    const { harness, versions, grant } = await openGranted()
    const body = { data: { text: 'gift' }, metadata, name: 'ada', recipient: dan.address }
    const call = { method: 'POST', path: '/api/memory/snapshot', body } as const
    const { tokenId: gift } = (await send(harness, owner, call)).json()
    await expectClosed(harness, { id: gift, grant })
    for (const id of versions) await give(harness, id, owner, dan)
    for (const id of versions) await expectClosed(harness, { id, grant })
  })
})

describe('a grant of a name', () => {
  test('needs the account whose name it is, its first version, and no transfers', async () => {
    const { harness, versions } = await openGranted()
    const [first, second] = versions
    const alike = await save(harness, 'alike', { by: dan })
    const later = await grantOf(harness, second)
    const wrong = [
      later,
      await grantOf(harness, first, { name: 'ben' }),
      await grantOf(harness, first, { name: 'Ada' }),
      await grantOf(harness, first, { transferCount: 1n }),
      await grantOf(harness, first, { digest: later.digest }),
      await grantOf(harness, first, { rights: 'save' }),
      await grantOf(harness, alike),
    ]
    for (const it of wrong) {
      expect([codeOf(await deposit(harness, it)), it]).toEqual(['grant/malformed', it])
    }
    const strange = await grantOf(harness, first, { owner: addressOf(dan) })
    expect(codeOf(await deposit(harness, strange, dan))).toBe('grant/malformed')
    const elsewhere = await grantOf(harness, first, { holders: ['https://memories.example'] })
    expect(codeOf(await deposit(harness, elsewhere))).toBe('grant/malformed')
  })

  test('tells nobody whether the owner has such a name, whatever looks like a contract signed', async () => {
    const { harness, versions } = await openGranted()
    for (const name of ['ada', 'ben']) {
      for (const tail of ['', '00', 'ab'.repeat(100)]) {
        const guess = await grantOf(harness, versions[0], { name })
        const reply = await deposit(harness, guess, dan, tail)
        expect([codeOf(reply), name, tail]).toEqual(['proof/not-signed', name, tail])
      }
    }
  })

  test('is none of the names of the operator, even for the account that owns their versions', async () => {
    const { harness } = await openGranted()
    const payload = { data: {}, metadata, name: 'plans', recipient: owner.address }
    const url = '/api/memory/snapshot'
    const minted = await harness.server.inject({ method: 'POST', url, payload })
    const reply = await deposit(
      harness,
      await grantOf(harness, minted.json().tokenId, { name: 'plans' }),
    )
    expect(codeOf(reply)).toBe('grant/malformed')
    expect(reply.json().facts.problem).toContain('only the names of an account')
  })

  test('gives a renter of a version nothing to grant', async () => {
    const { harness, versions } = await openGranted()
    const id = tokenId(versions[1])
    const [free, price] = [wei(0n), wei(7n)]
    const terms = {
      price: free,
      rentalPricePerDay: price,
      forkPrice: free,
      forkRoyaltyBps: 0,
    }
    await harness.chain.ledger(addressOf(owner)).list({ tokenId: id, ...terms })
    const recipient = addressOf(dan)
    await harness.chain.ledger(recipient).rent({ tokenId: id, days: 1, price, recipient })
    const renting = { owner: addressOf(dan), reader: addressOf(reader) }
    const reply = await deposit(harness, await grantOf(harness, versions[1], renting), dan)
    expect(codeOf(reply)).toBe('grant/malformed')
  })

  test('ends with its time, and with a revocation', async () => {
    const { harness, versions, grant } = await openGranted()
    const salt = `0x${'6b'.repeat(32)}` as const
    const terms = { salt, expires: secondsOf(harness) + 2 * aDay }
    const longer = (await deposit(harness, await grantOf(harness, versions[0], terms))).json().id
    harness.clock.advance(aDay * 1000)
    await expectEnded(harness, grant, versions)
    expect((await versionsOf(harness, longer)).statusCode).toBe(200)
    const claim = { owner: addressOf(owner), grant: longer }
    const signature = await owner.signMessage({ message: revokeText(place, claim) })
    const payload = { owner: owner.address, signature }
    const url = `/api/grants/${longer}/revoke`
    expect((await harness.server.inject({ method: 'POST', url, payload })).statusCode).toBe(204)
    await expectEnded(harness, longer, versions)
  })

  test('ends when its name is renamed, for good, and the answer says how many did', async () => {
    const { harness, versions, grant } = await openGranted()
    const renamed = await rename(harness, 'ada', 'ada/new')
    expect(renamed.json()).toMatchObject({ name: 'ada/new', endedGrants: 1 })
    await expectEnded(harness, grant, versions)
    const back = await rename(harness, 'ada/new', 'ada')
    expect(back.json()).not.toHaveProperty('endedGrants')
    await expectEnded(harness, grant, versions)
    expect(codeOf(await deposit(harness, await grantOf(harness, versions[0])))).toBe(
      'grant/revoked',
    )
  })

  test('stays where a renaming is refused, or changes nothing', async () => {
    const { harness, versions, grant } = await openGranted()
    await save(harness, 'other', { name: 'ben' })
    expect(codeOf(await rename(harness, 'ada', 'ben'))).toBe('name/taken')
    expect(codeOf(await rename(harness, 'ben', 'ada'))).toBe('name/taken')
    await rename(harness, 'ada', 'ada')
    expect((await read(harness, { id: versions[1], grant })).statusCode).toBe(200)
  })

  test('ends when its name is forgotten, also where it begins anew', async () => {
    const { harness, versions, grant } = await openGranted()
    const path = `${pathOf('ada')}?after=${versions[1]}`
    const forgotten = await send(harness, owner, { method: 'DELETE', path })
    expect([forgotten.statusCode, forgotten.json()]).toEqual([200, { endedGrants: 1 }])
    await expectEnded(harness, grant, versions)
    const anew = await save(harness, 'anew')
    await expectEnded(harness, grant, [...versions, anew])
    const again = await send(harness, owner, { method: 'DELETE', path: pathOf('ada') })
    expect([again.statusCode, again.body]).toEqual([204, ''])
  })

  test('of a contract wallet needs the signatures of its code, before anybody learns of its name', async () => {
    const harness = openHarness()
    onTestFinished(() => harness.server.close())
    const signers = [owner, dan].toSorted((one, two) =>
      one.address.toLowerCase() < two.address.toLowerCase() ? -1 : 1,
    )
    const contract = harness.chain.sharedWallet(signers.map(addressOf))
    const signAll = async (sign: (it: LocalAccount) => Promise<Hex>) =>
      concat(await Promise.all(signers.map(sign)))
    const wallet = {
      address: contract,
      signMessage: (message: never) => signAll((it) => it.signMessage(message)),
      signTypedData: (typed: never) => signAll((it) => it.signTypedData(typed)),
    } as unknown as typeof owner
    const first = await save(harness, 'one', { by: wallet })
    for (const [name, code] of [
      ['ben', 'grant/malformed'],
      ['ada', 201],
    ] as const) {
      const grant = await grantOf(harness, first, { name, owner: contract })
      expect(codeOf(await deposit(harness, grant, dan))).toBe('proof/not-signed')
      expect(codeOf(await deposit(harness, grant, dan, '00'))).toBe('proof/not-signed')
      const brought = await deposit(harness, grant, wallet)
      expect(codeOf(brought)).toBe(code)
      if (code === 201) {
        const { id } = brought.json()
        expect((await read(harness, { id: first, grant: id })).statusCode).toBe(200)
      }
    }
  })
})

const readAndSave = { rights: 'read and save' }

type Saving = {
  readonly by?: LocalAccount
  readonly more?: object
  readonly text?: string
  readonly key?: string
}

/** Saves the next version of a granted name, as its reader by default. */
function saveBy(
  harness: ServerHarness,
  grant: Hex,
  { by = reader, text = 'three', more, key }: Saving = {},
) {
  const path = `/api/granted/${grant}/memory/snapshot`
  const body = { data: { text }, metadata, ...more }
  return send(harness, by, { method: 'POST', path, body, ...(key && { key }) })
}

/** Returns the versions of the name `ada` as its owner reads them, the newest first. */
async function logOf(harness: ServerHarness, name = 'ada') {
  const path = `${pathOf(name)}/versions`
  const { items } = (await send(harness, owner, { method: 'GET', path })).json()
  return items as readonly Readonly<Record<'tokenId' | 'savedBy' | 'owner', string>>[]
}

/** Expects that a grant saves nothing, as an unknown one. */
async function expectUnsaved(harness: ServerHarness, grant: Hex, saving?: Saving) {
  const state = await harness.state()
  const refused = await saveBy(harness, grant, saving)
  const never = await saveBy(harness, unknown, saving)
  expect([refused.statusCode, refused.body]).toEqual([403, never.body])
  const { code, detail } = refused.json()
  expect([code, detail]).toEqual([
    'access/denied',
    expect.stringMatching(
      /^This grant does not let 0x\w{40} do that: it is for reading alone, .*ask its owner\.$/,
    ),
  ])
  expect(await harness.state()).toEqual(state)
}

/** Returns whether a memory is the own of an account. */
async function isOwn(harness: ServerHarness, by: LocalAccount, id: string) {
  const timestamp = secondsOf(harness)
  const claim = { tokenId: id, address: by.address, timestamp }
  const message = boundText({ origin, chainId, registry }, claim)
  const headers = {
    'x-wallet-address': by.address,
    'x-wallet-signature': await by.signMessage({ message }),
    'x-wallet-timestamp': `${timestamp}`,
  }
  const reply = await harness.server.inject({ url: `/api/memory/${id}/own`, headers })
  return reply.json().isOwn as boolean
}

/** Returns a wrapper of ledgers that do something once after a mint, before anybody learns of it. */
function mintsThen() {
  const after: { act?: () => Promise<unknown> } = {}
  const ledgerThrough = (ledger: Ledger): Ledger => ({
    ...ledger,
    mint: async (input) => {
      const minted = await ledger.mint(input)
      const { act } = after
      delete after.act
      await act?.()
      return minted
    },
  })
  return { ledgerThrough, after }
}

/** Returns names that do something before each hold from the time when it is given. */
function namesWith() {
  const names = memoryNames()
  const before: { act?: () => Promise<unknown> } = {}
  const hold: Names['hold'] = async (request) => {
    const { act } = before
    delete before.act
    await act?.()
    return names.hold(request)
  }
  return { names: { ...names, hold }, before }
}

const revoke = async (harness: ServerHarness, grant: Hex) => {
  const claim = { owner: addressOf(owner), grant }
  const signature = await owner.signMessage({ message: revokeText(place, claim) })
  const payload = { owner: owner.address, signature }
  return harness.server.inject({ method: 'POST', url: `/api/grants/${grant}/revoke`, payload })
}

describe('a reader that may save', () => {
  test('saves the next version for the owner, who reads in the log who did, as other readers do', async () => {
    const { harness, versions, grant } = await openGranted(readAndSave)
    const salt = `0x${'6b'.repeat(32)}` as const
    const another = await grantOf(harness, versions[0], { salt, reader: addressOf(dan) })
    const { id: other } = (await deposit(harness, another)).json()
    const saved = await saveBy(harness, grant)
    expect([saved.statusCode, saved.json().version]).toEqual([201, 3])
    const { tokenId: id } = saved.json()
    const [last, before] = await logOf(harness)
    expect(last).toMatchObject({ tokenId: id, owner: owner.address, savedBy: reader.address })
    expect(before?.savedBy).toBe(owner.address)
    expect((await read(harness, { id, grant })).json().data).toEqual({ text: 'three' })
    expect((await read(harness, { id, grant: other, wallet: dan })).statusCode).toBe(200)
    const info = await harness.server.inject({ url: `/api/memory/${id}/info` })
    expect(info.json().parent).toBe(versions[1])
    const listed = await send(harness, reader, { method: 'GET', path: '/api/names' })
    expect(listed.json().items).toEqual([])
  })

  test('is nobody else: a right to read, another account and an unknown grant save nothing', async () => {
    const { harness, versions, grant } = await openGranted()
    await expectUnsaved(harness, grant)
    const salt = `0x${'6b'.repeat(32)}` as const
    const { id } = (
      await deposit(harness, await grantOf(harness, versions[0], { ...readAndSave, salt }))
    ).json()
    for (const by of [owner, dan, agent]) await expectUnsaved(harness, id, { by })
    const claimed = { ...dan, address: reader.address } as LocalAccount
    await expectUnsaved(harness, id, { by: claimed })
    expect(await logOf(harness)).toHaveLength(2)
  })

  test('of a single token is none: only a name has versions', async () => {
    const { harness, versions } = await openGranted()
    const salt = `0x${'6b'.repeat(32)}` as const
    const change = { ...readAndSave, name: '', salt }
    const reply = await deposit(harness, await grantOf(harness, versions[0], change))
    expect(codeOf(reply)).toBe('grant/malformed')
    const lying = await grantOf(harness, versions[0], { salt })
    expect(codeOf(await deposit(harness, { ...lying, ...readAndSave }))).toBe('grant/malformed')
  })

  test('saves for nobody but the owner, and to no other name', async () => {
    const { harness, grant } = await openGranted(readAndSave)
    await save(harness, 'other', { name: 'ben' })
    for (const more of [{ recipient: reader.address }, { name: 'ben' }, { owner: 'operator' }]) {
      expect(codeOf(await saveBy(harness, grant, { more }))).toBe('request/malformed')
    }
    expect(codeOf(await saveBy(harness, grant, { more: { parentTokenId: '1' } }))).toBe(
      'name/moved',
    )
    expect([(await logOf(harness)).length, (await logOf(harness, 'ben')).length]).toEqual([2, 1])
  })

  test.each(['a revocation', 'its end', 'a renaming', 'a forgetting'] as const)(
    'saves nothing after %s, also where it waits for the name',
    async (end) => {
      const { names, before } = namesWith()
      const { harness, grant } = await openGranted(readAndSave, { names })
      const acts = {
        'a revocation': () => revoke(harness, grant),
        'its end': async () => harness.clock.advance(aDay * 1000),
        'a renaming': () => rename(harness, 'ada', 'ada/new'),
        'a forgetting': () => send(harness, owner, { method: 'DELETE', path: pathOf('ada') }),
      }
      const state = await harness.state()
      before.act = acts[end]
      const late = await saveBy(harness, grant)
      expect([late.statusCode, codeOf(late)]).toEqual([403, 'access/denied'])
      const { tokens, blobs } = await harness.state()
      expect([tokens.length, blobs]).toEqual([state.tokens.length, state.blobs])
      await expectUnsaved(harness, grant)
      const path = '/api/names'
      const { items } = (await send(harness, owner, { method: 'GET', path })).json()
      const left = { 'a renaming': ['ada/new'], 'a forgetting': [] as string[] }
      const expected = end in left ? left[end as keyof typeof left] : ['ada']
      expect(items.map((it: { readonly name: string }) => it.name)).toEqual(expected)
    },
  )

  test('saves nothing where the grant is revoked while the memory is sealed', async () => {
    let during: (() => Promise<unknown>) | undefined
    const { harness, grant } = await openGranted(readAndSave, {
      cipherThrough: (cipher) => ({
        ...cipher,
        seal: async (...input) => {
          await during?.()
          return cipher.seal(...input)
        },
      }),
    })
    const state = await harness.state()
    during = () => revoke(harness, grant)
    const late = await saveBy(harness, grant)
    during = undefined
    expect(codeOf(late)).toBe('access/denied')
    expect(await harness.state()).toEqual(state)
    expect(await logOf(harness)).toHaveLength(2)
    expect(await save(harness, 'three')).toEqual(expect.any(String))
  })

  test.each(['a revocation', 'its end'] as const)(
    'saves no version where %s comes between the mint and its receipt: the token is one of the owner',
    async (end) => {
      const { ledgerThrough, after } = mintsThen()
      const { harness, versions, grant } = await openGranted(readAndSave, { ledgerThrough })
      const acts = {
        'a revocation': () => revoke(harness, grant),
        'its end': async () => harness.clock.advance(aDay * 1000),
      }
      after.act = acts[end]
      const late = await saveBy(harness, grant)
      const facts = { tokenId: '3' }
      expect([late.statusCode, late.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'grant/ended', facts }),
      ])
      const { owner: of, asOf: _ } = (await harness.chain
        .ledger(addressOf(agent))
        .holding(tokenId('3'))) as Holding
      expect([of, (await logOf(harness)).length]).toEqual([owner.address, 2])
      await expectClosed(harness, { id: '3', grant })
      const next = await save(harness, 'four')
      const info = await harness.server.inject({ url: `/api/memory/${next}/info` })
      expect([info.json().parent, (await logOf(harness)).length]).toEqual([versions[1], 3])
    },
  )

  test('loses a race as any save: of the owner and two readers after one version one wins', async () => {
    const { harness, versions, grant } = await openGranted(readAndSave)
    const salt = `0x${'6b'.repeat(32)}` as const
    const change = { ...readAndSave, salt, reader: addressOf(dan) }
    const { id: other } = (
      await deposit(harness, await grantOf(harness, versions[0], change))
    ).json()
    const [, after] = versions
    const body = { data: { text: 'own' }, metadata, name: 'ada', after, recipient: owner.address }
    const replies = await Promise.all([
      saveBy(harness, grant, { more: { after }, text: 'reader' }),
      saveBy(harness, other, { more: { after }, text: 'dan', by: dan }),
      send(harness, owner, { method: 'POST', path: '/api/memory/snapshot', body }),
    ])
    expect(replies.map(codeOf).toSorted()).toEqual([201, 'name/moved', 'name/moved'])
    expect(await logOf(harness)).toHaveLength(3)
  })

  test('makes nothing the own of the owner until it accepts that', async () => {
    const { harness, versions, grant } = await openGranted(readAndSave)
    const saved = (await saveBy(harness, grant)).json().tokenId
    const goesOn = await save(harness, 'four')
    const ids = [versions[1], saved, goesOn]
    expect(await Promise.all(ids.map((id) => isOwn(harness, owner, id)))).toEqual([
      true,
      false,
      false,
    ])
    const accepting = { name: 'ada', after: goesOn, accept: true, recipient: owner.address }
    const body = { data: { text: 'five' }, metadata, ...accepting }
    const call = { method: 'POST', path: '/api/memory/snapshot', body } as const
    const accepted = (await send(harness, owner, call)).json().tokenId
    expect(await isOwn(harness, owner, accepted)).toBe(true)
  })

  test('has its own idempotency keys, which save once and outlive no grant', async () => {
    const { harness, grant } = await openGranted(readAndSave)
    const key = 'once'
    const body = { data: { text: 'own' }, metadata, name: 'ada', recipient: owner.address }
    const path = '/api/memory/snapshot'
    const own = await send(harness, owner, { method: 'POST', path, body, key })
    const first = await saveBy(harness, grant, { key })
    const again = await saveBy(harness, grant, { key })
    expect([own, first, again].map(codeOf)).toEqual([201, 201, 201])
    expect(again.json().tokenId).toBe(first.json().tokenId)
    expect(first.json().tokenId).not.toBe(own.json().tokenId)
    await revoke(harness, grant)
    await expectUnsaved(harness, grant, { key })
  })

  test('needs an API key where each save does: a grant is none', async () => {
    const harness = openHarness({ config: { apiKeys: ['k'.repeat(32)] } })
    onTestFinished(() => harness.server.close())
    expect((await saveBy(harness, unknown)).statusCode).toBe(401)
  })
})
