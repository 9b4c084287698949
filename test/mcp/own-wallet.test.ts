import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@heirloom/http/client'
import { createPublicClient, http } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { toolsFor } from '../../packages/http/src/mcp/tools/tools.ts'
import { overStdio, toolFailure, toolResult } from '../harness/mcp/mcp.ts'
import { agentOf } from '../harness/process/server.ts'
import { sharedServer } from '../harness/process/shared-server.ts'

const server = sharedServer()

const words = 'test test test test test test test test test test test junk'
const accountAt = (addressIndex: number) => mnemonicToAccount(words, { addressIndex })
const keyOf = (account: ReturnType<typeof accountAt>) =>
  `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`

/** Returns an account that has nothing, with its key. */
function newAccount() {
  const key = generatePrivateKey()
  return { address: privateKeyToAccount(key).address, key }
}

type Keyed = ReturnType<typeof accountAt> | ReturnType<typeof newAccount>

/** Starts the MCP server with the key of an account, and a limit of the day. */
async function sessionOf(account: Keyed, more = {}) {
  const key = 'key' in account ? account.key : keyOf(account)
  const environment = {
    HEIRLOOM_URL: server.url,
    HEIRLOOM_PRIVATE_KEY: key,
    HEIRLOOM_MAX_SPEND_PER_DAY: '1ether',
    ...more,
  }
  const { client } = await overStdio(environment)
  onTestFinished(() => client.close())
  return client
}

const [ada, ben] = [accountAt(0), accountAt(1)]
const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }
const terms = { price: '700', rentalPricePerDay: '30', forkPrice: '500', forkRoyaltyBps: 1000 }

describe('the tools of the own wallet', () => {
  test('exist only with a limit of the day and a key that is not of a server', async () => {
    const names = async (environment: Readonly<Record<string, string>>) => {
      const { client } = await overStdio({ HEIRLOOM_URL: server.url, ...environment })
      onTestFinished(() => client.close())
      return (await client.listTools()).tools.map(({ name }) => name)
    }
    const limit = { HEIRLOOM_MAX_SPEND_PER_DAY: '1ether' }
    const plain = toolsFor('owner').map(({ name }) => name)
    expect(await names({ HEIRLOOM_PRIVATE_KEY: keyOf(ada) })).toEqual(plain)
    expect(await names({ DATA_DIR: server.home, ...limit })).toEqual(plain)
    const own = await names({ HEIRLOOM_PRIVATE_KEY: keyOf(ada), ...limit })
    expect(own).toEqual(toolsFor('own').map(({ name }) => name))
  })

  test('save to names of the wallet, over what was opened alone', async () => {
    const session = await sessionOf(ada)
    const save = (after: string, mood: string) =>
      ({ ...memory, data: { mood }, name: 'own-diary', after }) as const
    const first = await toolResult(session, 'own_save', save('0', 'calm'))
    expect(await toolFailure(session, 'own_save', save('0', 'late'))).toMatchObject({
      code: 'name/moved',
      facts: { tokenId: first.tokenId },
    })
    const opened = await toolResult(session, 'own_open', { name: 'own-diary' })
    expect(opened).toMatchObject({ tokenId: first.tokenId, data: { mood: 'calm' } })
    const second = await toolResult(session, 'own_save', save(`${opened.tokenId}`, 'glad'))
    const ids = [{ tokenId: second.tokenId }, { tokenId: first.tokenId }]
    expect(await toolResult(session, 'own_log', { name: 'own-diary' })).toMatchObject({
      items: ids,
    })
    const named = { items: [{ name: 'own-diary' }] }
    expect(await toolResult(session, 'own_names', {})).toMatchObject(named)
    expect(await toolResult(session, 'names_list', {})).toMatchObject(named)
    const rename = { name: 'own-diary', to: 'own-days' }
    expect(await toolResult(session, 'own_rename', rename)).toMatchObject({ name: 'own-days' })
    await toolResult(session, 'own_forget', { name: 'own-days' })
    expect(await toolResult(session, 'own_names', {})).toMatchObject({ items: [] })
  })

  test('pay in dollars by relay, within a limit of the day, with no native money', async () => {
    const [seller, buyer] = [newAccount(), newAccount()]
    const client = createClient({ url: server.url })
    for (const { address } of [seller, buyer]) await client.faucet(address)
    const dollarsOnly = {
      HEIRLOOM_MAX_SPEND_PER_DAY: '',
      HEIRLOOM_MAX_DOLLARS_PER_DAY: '6usd',
      HEIRLOOM_RELAYED: 'true',
    }
    const [maker, taker] = [
      await sessionOf(seller, dollarsOnly),
      await sessionOf(buyer, dollarsOnly),
    ]
    const { tokenId } = await toolResult(maker, 'own_snapshot', memory)
    const none = { price: '0', rentalPricePerDay: '0', forkPrice: '0' }
    const dollars = { price: '5000000', rentalPricePerDay: '500000', forkPrice: '0' }
    await toolResult(maker, 'own_list', { tokenId, ...none, forkRoyaltyBps: 0, dollars })
    const rent = { tokenId, durationDays: 4 }
    expect(await toolFailure(taker, 'own_rent', rent)).toMatchObject({ code: 'value/invalid' })
    expect(await toolFailure(taker, 'own_rent', { ...rent, maxPrice: '9' })).toMatchObject({
      code: 'listing/currency-changed',
    })
    await toolResult(taker, 'own_rent', { ...rent, maxDollars: '2000000' })
    const buy = { tokenId, maxDollars: '5000000' }
    expect(await toolFailure(taker, 'own_buy', buy)).toMatchObject({ code: 'wallet/day-limit' })
    await toolResult(taker, 'own_royalty', { tokenId, dollars: '1000000' })
    expect(await toolFailure(taker, 'own_withdraw', { currency: 'dollar' })).toMatchObject({
      code: 'credit/none',
    })
    const held = await toolResult(taker, 'own_balance', {})
    expect(held).toMatchObject({
      balance: '0',
      spentToday: '0',
      maxSpendPerDay: '0',
      dollars: { balance: '97000000', spentToday: '3000000', maxSpendPerDay: '6000000' },
    })
    expect(await toolResult(taker, 'memory_download', { tokenId })).toMatchObject(memory)
  })

  test('spend no more on a day than the limit, after a restart and in two sessions at once', async () => {
    const [seller, buyer] = [newAccount(), newAccount()]
    const client = createClient({ url: server.url })
    for (const { address } of [seller, buyer]) await client.faucet(address)
    const state = join(inject('runFolder'), `limits-${buyer.address}`)
    const limits = {
      HEIRLOOM_MAX_SPEND_PER_DAY: '',
      HEIRLOOM_MAX_DOLLARS_PER_DAY: '6usd',
      HEIRLOOM_RELAYED: 'true',
      HEIRLOOM_STATE_DIR: state,
    }
    const { tokenId } = await client.snapshot({ ...memory, recipient: seller.address })
    const pay = (dollars: string) => ['own_royalty', { tokenId, dollars }] as const
    const first = await sessionOf(buyer, limits)
    await toolResult(first, ...pay('4000000'))
    await first.close()

    const [one, other] = [await sessionOf(buyer, limits), await sessionOf(buyer, limits)]
    expect(await toolResult(one, 'own_balance')).toMatchObject({
      dollars: { spentToday: '4000000', maxSpendPerDay: '6000000' },
    })
    expect(await toolFailure(one, ...pay('3000000'))).toMatchObject({
      code: 'wallet/day-limit',
    })
    await toolResult(other, ...pay('1500000'))
    expect(await toolFailure(one, ...pay('1000000'))).toMatchObject({
      code: 'wallet/day-limit',
    })

    // Without the file nobody knows what was spent.
    rmSync(join(state, 'wallet.sqlite'))
    const last = await sessionOf(buyer, limits)
    expect(await toolFailure(last, ...pay('1'))).toMatchObject({ code: 'folder/unusable' })
    const { dollars } = await toolResult(one, 'own_balance')
    expect(dollars).toMatchObject({ balance: '94500000' })
  })

  test('list, rent, fork, buy, pay and transfer, and the agent wallet pays nothing', async () => {
    const [seller, buyer] = [await sessionOf(ada), await sessionOf(ben)]
    const node = createPublicClient({ transport: http(`${server.url}/rpc`) })
    const agent = agentOf(server.home).address
    const before = await node.getBalance({ address: agent })
    const { tokenId } = await toolResult(seller, 'own_snapshot', memory)
    expect(await toolResult(seller, 'memory_info', { tokenId })).toMatchObject({
      creator: ada.address,
    })
    await toolResult(seller, 'own_list', { tokenId, ...terms })
    const rent = { tokenId, durationDays: 2, maxPrice: '60' }
    await toolResult(buyer, 'own_rent', rent)
    const rated = { account: ben.address, score: 4, comment: 'Worth it.', act: 'rent' }
    const opinion = { tokenId, score: 4, comment: 'Worth it.' }
    expect(await toolResult(buyer, 'memory_rate', opinion)).toMatchObject(rated)
    expect(await toolResult(buyer, 'memory_ratings', { tokenId })).toMatchObject({
      items: [rated],
      counts: [0, 0, 0, 1, 0],
    })
    const shown = await buyer.callTool({ name: 'show', arguments: { memory: tokenId } })
    expect(JSON.stringify(shown.content)).toContain('4.0 of 5 by 1 account that paid')
    const child = await toolResult(buyer, 'own_fork', { tokenId, maxPrice: '500' })
    expect(await toolResult(buyer, 'memory_info', { tokenId: child.tokenId })).toMatchObject({
      creator: ben.address,
    })
    const once = { tokenId, maxPrice: '700', idempotencyKey: 'once' }
    const bought = await toolResult(buyer, 'own_buy', once)
    expect(await toolResult(buyer, 'own_buy', once)).toEqual(bought)
    expect(await toolResult(buyer, 'own_confirm', { txHash: bought.txHash })).toEqual(bought)
    await toolResult(buyer, 'own_royalty', { tokenId: child.tokenId, amount: '9' })
    expect(await toolResult(buyer, 'memory_download', { tokenId })).toMatchObject(memory)
    await toolResult(buyer, 'own_transfer', { tokenId, to: ada.address })
    expect(await node.getBalance({ address: agent })).toBe(before)
    expect(await toolResult(buyer, 'own_balance')).toMatchObject({
      address: ben.address,
      credit: '0',
      maxSpendPerDay: `${10n ** 18n}`,
    })
    expect((await toolFailure(buyer, 'own_withdraw', {})).code).toBe('credit/none')
  })

  test('let another account read a memory, see that it did, and end that', async () => {
    const [owner, reader] = [await sessionOf(ada), await sessionOf(newAccount())]
    const { address } = await toolResult(reader, 'own_balance')
    const { tokenId } = await toolResult(owner, 'own_snapshot', memory)
    const expires = Math.floor(Date.now() / 1000) + 3600
    const terms = { tokenId, reader: address, expires, label: 'auditor' }
    const { id: grant, statement } = await toolResult(owner, 'own_grant', terms)
    expect(statement).toContain(`I let ${address} read the memory of token ${tokenId} until`)
    expect(await toolFailure(reader, 'memory_download', { tokenId })).toMatchObject({
      code: 'access/denied',
    })
    const by = { tokenId, grant }
    const from = { guard: { from: expect.stringContaining('another account') } }
    expect(await toolResult(reader, 'memory_download', by)).toMatchObject({ ...memory, ...from })
    expect(await toolResult(reader, 'memory_outline', by)).toMatchObject({ type: 'object' })
    const part = { pointer: '/data/mood', text: '"calm"', ...from }
    expect(await toolResult(reader, 'memory_part', { ...by, pointer: '/data/mood' })).toMatchObject(
      part,
    )
    const select = { ...by, path: '$.data.mood' }
    expect(await toolResult(reader, 'memory_select', select)).toMatchObject({
      matches: [{ text: '"calm"' }],
    })
    const search = { ...by, text: 'calm' }
    expect(await toolResult(reader, 'memory_search_in', search)).toMatchObject({
      matches: [{ match: 'calm' }],
    })
    const listed = { items: [{ id: grant, name: '', ...terms }] }
    expect(await toolResult(owner, 'grants_list', {})).toMatchObject(listed)
    const seen = async () => (await toolResult(reader, 'grants_received', {})).items
    expect(await seen()).toEqual([])
    expect(await toolFailure(owner, 'grants_accept', { owner: address })).toMatchObject({
      code: 'grant/not-found',
    })
    await toolResult(reader, 'grants_accept', { owner: ada.address })
    const { label: _, reader: __, ...received } = terms
    expect(await seen()).toEqual([
      { id: grant, owner: ada.address, name: '', rights: 'read', ...received },
    ])
    await expect
      .poll(async () => (await toolResult(owner, 'memory_openings', { tokenId })).items)
      .toContainEqual(expect.objectContaining({ account: address, scope: 'whole' }))
    await toolResult(owner, 'grants_revoke', { grant })
    expect(await toolFailure(reader, 'memory_part', { ...by, pointer: '' })).toMatchObject({
      code: 'access/denied',
    })
    expect(await toolFailure(owner, 'grants_revoke', {})).toMatchObject({
      sentence: expect.stringContaining('grant'),
    })
    expect(await toolResult(owner, 'grants_revoke', { grant: 'all' })).toEqual({ revoked: 'all' })
    expect(await toolResult(owner, 'grants_list', {})).toMatchObject({ items: [] })
  })

  test('name an heir, give signs of life and end the plan; the heir waits', async () => {
    const [owner, heir] = [await sessionOf(ada), await sessionOf(ben)]
    const address = ada.address
    const plan = { heir: ben.address, silenceDays: 30, noticeDays: 30 }
    await toolResult(owner, 'own_name_heir', plan)
    expect(await toolResult(heir, 'account_heir', { address })).toMatchObject({
      account: address,
      state: 'active',
      announcedAt: null,
      ...plan,
    })
    await toolResult(owner, 'own_heartbeat', {})
    const codeOf = async (name: string, more = {}) =>
      (await toolFailure(heir, name, { address, ...more })).code
    expect(await codeOf('own_announce_takeover')).toBe('heir/not-silent')
    expect(await codeOf('own_take_over', { tokenIds: ['1'] })).toBe('heir/not-announced')
    expect(await codeOf('own_take_over_credit')).toBe('heir/not-announced')
    const wrong = { ...plan, silenceDays: 29 }
    expect((await toolFailure(owner, 'own_name_heir', wrong)).code).toBe('heir/bad-delay')
    await toolResult(owner, 'own_clear_heir', {})
    expect(await toolResult(heir, 'account_heir', { address })).toMatchObject({ state: 'none' })
  })

  test('never pay more than maxPrice, or than the limits', async () => {
    const seller = await sessionOf(ada)
    const more = { HEIRLOOM_MAX_SPEND_PER_CALL: '100', HEIRLOOM_MAX_SPEND_PER_DAY: '1000' }
    const buyer = await sessionOf(ben, more)
    const { tokenId } = await toolResult(seller, 'own_snapshot', memory)
    await toolResult(seller, 'own_list', { tokenId, ...terms })
    expect(await toolFailure(buyer, 'own_buy', { tokenId, maxPrice: '699' })).toMatchObject({
      code: 'listing/over-max-price',
    })
    expect(await toolFailure(buyer, 'own_buy', { tokenId, maxPrice: '700' })).toMatchObject({
      code: 'wallet/call-limit',
      facts: { limit: '100' },
    })
  })

  test('refuse the key of the server', async () => {
    const key = readFileSync(`${server.home}/agent.key`, 'utf8').trim()
    const client = await sessionOf(ada, { HEIRLOOM_PRIVATE_KEY: key })
    expect((await toolFailure(client, 'own_balance', {})).code).toBe('config/invalid')
  })
})
