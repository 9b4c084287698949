import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** Starts an agent with a wallet of its own, which may spend 20 dollars a day. */
async function agent(name) {
  const client = new Client({ name: 'stranger', version: '1' })
  const env = {
    ...process.env,
    HEIRLOOM_PRIVATE_KEY: readFileSync(`${name}.key`, 'utf8'),
    HEIRLOOM_MAX_DOLLARS_PER_DAY: '20usd',
    HEIRLOOM_RELAYED: 'true',
  }
  const command = { command: 'npx', args: ['heirloom', 'mcp', '--tools', 'all'], stderr: 'inherit' }
  await client.connect(new StdioClientTransport({ ...command, env }))
  const call = async (name, args) => {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: args })
    assert.ok(!isError, JSON.stringify(content))
    return structuredContent
  }
  return { call, close: () => client.close() }
}

const [ada, ben] = await Promise.all([agent('ada'), agent('ben')])
const { dollars } = await ada.call('own_withdraw', { currency: 'dollar' })
assert.equal(dollars.amount, '125000')

const memory = { data: { learned: ['ask twice'] }, metadata: { category: 'support' } }
const { tokenId } = await ben.call('own_snapshot', memory)
const none = { price: '0', rentalPricePerDay: '0', forkPrice: '0' }
const prices = { price: '2000000', rentalPricePerDay: '100000', forkPrice: '1000000' }
await ben.call('own_list', { tokenId, ...none, forkRoyaltyBps: 1000, dollars: prices })
await ada.call('own_rent', { tokenId, durationDays: 2, maxDollars: '200000' })
assert.deepEqual((await ada.call('memory_download', { tokenId })).data, memory.data)
await ada.call('own_fork', { tokenId, maxDollars: '1000000', maxRoyaltyBps: 1000 })
await ada.call('own_buy', { tokenId, maxDollars: '2000000' })
await ada.call('own_royalty', { tokenId, dollars: '10000' })
await ada.call('own_transfer', { tokenId, to: readFileSync('cleo.address', 'utf8') })
process.stdout.write(`made token ${tokenId}\n`)
await Promise.all([ada.close(), ben.close()])
