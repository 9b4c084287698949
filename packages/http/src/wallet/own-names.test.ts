import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { ada, ben, openWalletHarness } from '../../test/wallet-harness.ts'
import { createClient } from '../client/client.ts'
import { systemTimers } from '../client/transport/retries.ts'

const memoryOf = (mood: string) => ({ data: { mood }, metadata: { category: 'research' } })

test('a wallet saves to a name of its own, over what it has seen alone, and reads its log', async () => {
  const { walletOf, client } = await openWalletHarness()
  const [wallet, other] = [await walletOf(ada), await walletOf(ben)]
  const first = await wallet.snapshot({ ...memoryOf('calm'), name: 'diary', after: '0' })
  const second = await wallet.snapshot({ ...memoryOf('glad'), name: 'diary', after: first.tokenId })
  const moved = { code: 'name/moved', facts: { tokenId: second.tokenId } }
  const late = { ...memoryOf('late'), name: 'diary', after: first.tokenId }
  await expect(wallet.snapshot(late)).rejects.toMatchObject(moved)
  const third = await wallet.snapshot({ ...memoryOf('keen'), name: 'diary' })
  const ids = [third, second, first].map(({ tokenId }) => tokenId)
  const { items } = await wallet.versions('diary')
  expect(items.map(({ tokenId }) => tokenId)).toEqual(ids)
  const infos = await Promise.all(ids.map((id) => client.info(id)))
  expect(infos.map(({ parent }) => parent)).toEqual([...ids.slice(1), '0'])
  expect((await wallet.names()).items).toMatchObject([{ name: 'diary' }])
  expect((await other.names()).items).toEqual([])
  const own = await other.snapshot({ ...memoryOf('shy'), name: 'diary' })
  expect((await client.info(own.tokenId)).parent).toBe('0')
})

test('a memory that is saved twice within a second becomes two versions', async () => {
  const { walletOf } = await openWalletHarness()
  const now = Date.now()
  const wallet = await walletOf(ada, { timers: { ...systemTimers, now: () => now } })
  const first = await wallet.snapshot({ ...memoryOf('calm'), name: 'diary' })
  const again = await wallet.snapshot({ ...memoryOf('calm'), name: 'diary' })
  const { items } = await wallet.versions('diary')
  expect(items.map(({ tokenId }) => tokenId)).toEqual([again.tokenId, first.tokenId])
})

test('a server that lets a name go on from another token than the one named gets no signature', async () => {
  const { walletOf, url, node } = await openWalletHarness()
  const foreign = await (await walletOf(ada)).snapshot(memoryOf('calm'))
  const lying: typeof fetch = async (input, init) => {
    const isSeal = `${input}`.endsWith('/api/memory/seal')
    if (!isSeal || typeof init?.body === 'string') return fetch(input, init)
    const reply = await (await fetch(input, init)).text()
    const id = BigInt(foreign.tokenId).toString(16).padStart(64, '0')
    const zero = '0'.repeat(64)
    const seal = JSON.parse(reply)
    const { data } = seal.transaction
    const at = data.lastIndexOf(zero)
    const changed = at < 0 ? data : `${data.slice(0, at)}${id}${data.slice(at + 64)}`
    seal.transaction.data = changed
    seal.parentTokenId = foreign.tokenId
    return new Response(JSON.stringify(seal), { headers: { 'content-type': 'application/json' } })
  }
  const wallet = await walletOf(ben, { fetch: lying, url })
  for (const after of [undefined, '0']) {
    const save = wallet.snapshot({ ...memoryOf('glad'), name: `diary-${after}`, after })
    await expect(save).rejects.toMatchObject({ code: 'client/not-as-requested' })
  }
  expect(await node.getTransactionCount({ address: ben.address })).toBe(0)
})

test('a wallet renames and forgets its own names alone', async () => {
  const { walletOf, client } = await openWalletHarness()
  const [wallet, other] = [await walletOf(ada), await walletOf(ben)]
  const minted = await wallet.snapshot({ ...memoryOf('calm'), name: 'diary' })
  const theirs = await other.snapshot({ ...memoryOf('shy'), name: 'diary' })
  await client.memory('diary').save({ ...memoryOf('of the server'), recipient: 'server' })
  const renamed = await wallet.renameName('diary', 'work/diary')
  expect(renamed).toMatchObject({ name: 'work/diary', last: { tokenId: minted.tokenId } })
  expect((await wallet.findName('work/diary')).last.tokenId).toBe(minted.tokenId)
  const missing = { code: 'name/not-found' }
  await expect(wallet.renameName('diary', 'b')).rejects.toMatchObject(missing)
  await expect(other.forgetName('work/diary')).rejects.toMatchObject(missing)
  await wallet.forgetName('work/diary')
  expect((await wallet.names()).items).toEqual([])
  expect((await other.findName('diary')).last.tokenId).toBe(theirs.tokenId)
  expect((await client.memory('diary').log()).items).toHaveLength(1)
})

test('a save that its wallet cannot pay leaves the name free', async () => {
  const { walletOf } = await openWalletHarness()
  const named = { ...memoryOf('calm'), name: 'diary' }
  const empty = await walletOf(privateKeyToAccount(generatePrivateKey()))
  for (const _ of ['first', 'again']) {
    await expect(empty.snapshot(named)).rejects.toMatchObject({ code: 'wallet/short' })
  }
  const limited = await walletOf(ada, { limits: { perCall: 1n } })
  await expect(limited.snapshot(named)).rejects.toMatchObject({ code: 'wallet/call-limit' })
  await (await walletOf(ada)).snapshot(named)
})

test('the names of a client and of the own wallet of its account are the same', async () => {
  const { walletOf, url } = await openWalletHarness()
  const clientOf = (account: typeof ada) => createClient({ url, account })
  const [wallet, client] = [await walletOf(ada), clientOf(ada)]
  const diary = client.memory('diary')
  const first = await diary.save(memoryOf('calm'))
  const second = await wallet.snapshot({ ...memoryOf('glad'), name: 'diary' })
  expect((await diary.latest())?.data).toEqual({ mood: 'glad' })
  const third = await diary.save(memoryOf('keen'))
  const ids = [third, second, first].map(({ tokenId }) => tokenId)
  for (const { items } of [await wallet.versions('diary'), await diary.log()]) {
    expect(items.map(({ tokenId }) => tokenId)).toEqual(ids)
  }
  expect(await Promise.all(ids.map((it) => client.isOwn(it)))).toEqual([true, true, true])
  expect((await client.names()).items).toMatchObject([{ name: 'diary' }])
  expect(await clientOf(ben).memory('diary').latest()).toBe(undefined)
  expect((await wallet.findName('diary')).last.tokenId).toBe(third.tokenId)
})
