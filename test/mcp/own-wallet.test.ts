import { readFileSync } from 'node:fs'
import { createPublicClient, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toolsFor } from '../../packages/http/src/mcp/tools/tools.ts'
import { overStdio, toolFailure, toolResult } from '../harness/mcp/mcp.ts'
import { agentOf } from '../harness/process/server.ts'
import { sharedServer } from '../harness/process/shared-server.ts'

const server = sharedServer()

const words = 'test test test test test test test test test test test junk'
const accountAt = (addressIndex: number) => mnemonicToAccount(words, { addressIndex })
const keyOf = (account: ReturnType<typeof accountAt>) =>
  `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`

/** Starts the MCP server with the key of an account, and a limit of the day. */
async function sessionOf(account: ReturnType<typeof accountAt>, more = {}) {
  const environment = {
    ...{ HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: keyOf(account) },
    ...{ HEIRLOOM_MAX_SPEND_PER_DAY: '1ether', ...more },
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
      ...{ address: ben.address, credit: '0', maxSpendPerDay: `${10n ** 18n}` },
    })
    expect((await toolFailure(buyer, 'own_withdraw', {})).code).toBe('credit/none')
  })

  test('name an heir, give signs of life and end the plan; the heir waits', async () => {
    const [owner, heir] = [await sessionOf(ada), await sessionOf(ben)]
    const address = ada.address
    const plan = { heir: ben.address, silenceDays: 30, noticeDays: 30 }
    await toolResult(owner, 'own_name_heir', plan)
    expect(await toolResult(heir, 'account_heir', { address })).toMatchObject({
      ...{ account: address, state: 'active', announcedAt: null, ...plan },
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
