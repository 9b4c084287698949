import { type Ledger, tokenId } from '@heirloom/core'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { openClientHarness } from '../../../test/client-harness.ts'
import {
  addressOf,
  agent,
  deployment,
  mintToken,
  other,
  stranger,
} from '../../../test/server-harness.ts'
import { profileText } from '../../api/signed-texts.ts'

const ada = { name: 'Ada', sentence: 'I keep notes.', link: 'https://ada.example' }

/** Opens a server whose token the agent made and another account owns. */
async function openProfiles(parts: Parameters<typeof openClientHarness>[1] = {}) {
  const harness = await openClientHarness({}, parts)
  await mintToken(harness)
  await harness.chain.transfer(addressOf(agent), tokenId(1n), other.address as never)
  const { client, clientAt } = harness
  return {
    ...harness,
    owner: clientAt({ account: other }),
    find: async (...accounts: PrivateKeyAccount[]) =>
      (await client.profiles({ accounts: accounts.map((it) => it.address) })).items,
  }
}

type Opened = Awaited<ReturnType<typeof openProfiles>>

type Flaws = Partial<Parameters<typeof profileText>[1]> & {
  readonly place?: Partial<Parameters<typeof profileText>[0]>
}

/** Returns the headers of a profile for this server, but for a flaw. */
async function headersFor(it: Opened, by: PrivateKeyAccount, { place, ...flaws }: Flaws = {}) {
  const timestamp = Math.floor(Number(it.clock.now()) / 1000)
  const { chainId, registry } = deployment
  const message = profileText(
    { host: new URL(it.url).host, chainId, registry, ...place },
    { account: by.address, timestamp, ...ada, ...flaws },
  )
  return {
    'x-wallet-address': flaws.account ?? by.address,
    'x-timestamp': `${flaws.timestamp ?? timestamp}`,
    'x-signature': await by.signMessage({ message }),
  }
}

async function send(
  it: Opened,
  headers: Record<string, string>,
  payload: object = ada,
  of = other.address,
) {
  const { host } = new URL(it.url)
  const url = `/api/accounts/${of}/profile`
  const reply = await it.server.inject({
    method: 'PUT',
    url,
    payload,
    headers: { host, ...headers },
  })
  return [reply.statusCode, reply.json().code]
}

test('an account that owns or made a token describes itself, and is found by name and address', async () => {
  const it = await openProfiles()
  expect(await it.find(other)).toEqual([])
  const set = await it.owner.setProfile(ada)
  expect(set).toMatchObject({ account: other.address, ...ada })
  expect(set.message).toContain('\nName: Ada\nSentence: I keep notes.\nLink: https://ada.example')
  expect(await it.find(stranger, other)).toEqual([set])
  const maker = await it.client.setProfile({ name: 'ΑDA' })
  expect(await it.find(agent)).toEqual([{ ...maker, resembles: other.address }])
  const { items } = await it.client.profiles({ name: 'ada' })
  expect(items.map(({ account }) => account)).toEqual([other.address, agent.address])
})

test('a profile that was signed earlier replaces none, nor comes back after it was taken back', async () => {
  const it = await openProfiles()
  const first = await headersFor(it, other)
  expect(await send(it, first)).toEqual([200, undefined])
  const replaced = [409, 'proof/replaced']
  const inOneSecond = it.owner.setProfile({ name: 'Ada L' })
  await expect(inOneSecond).rejects.toMatchObject({ code: 'proof/replaced' })
  it.clock.advance(1000)
  const newer = await it.owner.setProfile({ name: 'Ada L' })
  expect(await send(it, first)).toEqual(replaced)
  expect(await it.find(other)).toEqual([newer])
  it.clock.advance(1000)
  await it.owner.setProfile({ name: '' })
  expect(await send(it, first)).toEqual(replaced)
  expect(await it.find(other)).toEqual([])
})

test('a signature counts for its account, texts, server, chain and registry alone, and for two minutes', async () => {
  const it = await openProfiles()
  const notSigned = [403, 'proof/not-signed']
  const signed = await headersFor(it, other)
  expect(await send(it, signed, { ...ada, name: 'Eve' })).toEqual(notSigned)
  expect(await send(it, signed, ada, agent.address)).toEqual(notSigned)
  expect(await send(it, await headersFor(it, stranger, { account: other.address }))).toEqual(
    notSigned,
  )
  const places = [{ host: 'eve.example' }, { chainId: 1 }, { registry: other.address }]
  for (const place of places) {
    expect(await send(it, await headersFor(it, other, { place }))).toEqual(notSigned)
  }
  const { 'x-signature': _, ...unsigned } = signed
  expect(await send(it, unsigned)).toEqual([403, 'proof/missing'])
  it.clock.advance(121_000)
  expect(await send(it, signed)).toEqual([403, 'proof/stale'])
  expect(await it.find(other, agent)).toEqual([])
})

test('texts that mislead are refused, and so is an unclear question', async () => {
  const it = await openProfiles()
  const wrong: readonly (readonly [object, string])[] = [
    [{ ...ada, name: 'a\u202Eb' }, 'profile/malformed'],
    [{ ...ada, name: '0x7099' }, 'profile/malformed'],
    [{ ...ada, link: 'javascript:alert(1)' }, 'profile/malformed'],
    [{ ...ada, name: 'a'.repeat(41) }, 'request/malformed'],
    [{ ...ada, picture: 'x' }, 'request/malformed'],
    [{}, 'request/malformed'],
  ]
  for (const [body, code] of wrong) {
    expect(await send(it, await headersFor(it, other, body), body)).toEqual([400, code])
  }
  const many = Array(51).fill(other.address).join()
  for (const query of ['', '?name=', `?accounts=${many}`, `?accounts=${other.address}&name=a`]) {
    expect((await it.server.inject(`/api/profiles${query}`)).statusCode).toBe(400)
  }
})

test('strangers have none, however many they are, and one client brings few', async () => {
  const it = await openProfiles()
  const visitor = it.clientAt({ account: stranger })
  await expect(visitor.setProfile({ name: 'Eve' })).rejects.toMatchObject({
    code: 'profile/no-token',
  })
  // A profile that was taken back needs its room still, or its signature could be brought again.
  await it.owner.setProfile({ name: '' })
  await it.client.setProfile({ name: 'Agent' })
  await mintToken(it)
  await it.chain.transfer(addressOf(agent), tokenId(2n), addressOf(stranger))
  // The bound of a client takes nobody's profile, though its account owns nothing any more.
  await it.chain.transfer(addressOf(other), tokenId(1n), addressOf(stranger))
  it.clock.advance(121_000)
  await expect(visitor.setProfile({ name: 'Eve' })).rejects.toMatchObject({
    code: 'profile/too-many',
    facts: { what: 'this client' },
  })
  await it.client.setProfile({ name: 'Agent 2' })
  expect((await it.find(stranger, agent, other)).map(({ name }) => name)).toEqual(['Agent 2'])
})

test('one token that is passed on fills no room, and an account that has one keeps its profile', async () => {
  const it = await openProfiles({ profileBounds: { ofClient: 9, inAll: 2 } })
  await it.client.setProfile({ name: 'Agent' })
  const last = privateKeyToAccount(`0x${'7'.repeat(64)}`)
  const visitors = [other, stranger, last]
  const pass = async (from: PrivateKeyAccount, to: PrivateKeyAccount) =>
    it.chain.transfer(addressOf(from), tokenId(1n), addressOf(to))
  await it.owner.setProfile({ name: 'Passer 1' })
  await pass(other, stranger)
  // Neither replaced nor stale: what was signed just now could be brought again.
  const describe = (by: PrivateKeyAccount, name: string) =>
    it.clientAt({ account: by }).setProfile({ name })
  await expect(describe(stranger, 'Passer 2')).rejects.toMatchObject({ code: 'profile/too-many' })
  it.clock.advance(121_000)
  await describe(stranger, 'Passer 2')
  it.clock.advance(121_000)
  await pass(stranger, last)
  await describe(last, 'Passer 3')
  expect((await it.find(agent, ...visitors)).map(({ name }) => name)).toEqual(['Agent', 'Passer 3'])
  it.clock.advance(121_000)
  await mintToken(it)
  await it.chain.transfer(addressOf(agent), tokenId(2n), addressOf(stranger))
  await expect(describe(stranger, 'Late')).rejects.toMatchObject({ code: 'profile/too-many' })
})

test('a contract is asked last: never for a stranger, nor for texts that mislead', async () => {
  const called: string[] = []
  const ledgerThrough = (ledger: Ledger): Ledger => ({
    ...ledger,
    isSignedByKey: async () => undefined,
    isSignedByContract: async ({ account }) => {
      called.push(account)
      return false
    },
  })
  const it = await openProfiles({ ledgerThrough })
  expect(await send(it, await headersFor(it, stranger), ada, stranger.address)).toEqual([
    403,
    'profile/no-token',
  ])
  expect((await send(it, await headersFor(it, other), { ...ada, name: '0x' }))[1]).toBe(
    'profile/malformed',
  )
  expect(called).toEqual([])
  expect(await send(it, await headersFor(it, other))).toEqual([403, 'proof/not-signed'])
  expect(called).toEqual([other.address])
})
