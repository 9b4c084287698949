import { strict as assert } from 'node:assert'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { generatePrivateKey } from 'viem/accounts'

/** Starts an agent with the wallet of the server, or with one of its own. */
async function agent(env) {
  const client = new Client({ name: 'stranger', version: '1' })
  const { HEIRLOOM_URL, PATH, HOME } = process.env
  const command = { command: 'npx', args: ['heirloom', 'mcp', '--tools', 'all'], stderr: 'inherit' }
  await client.connect(
    new StdioClientTransport({ ...command, env: { HEIRLOOM_URL, PATH, HOME, ...env } }),
  )
  const call = async (name, args) => {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: args })
    assert.ok(!isError, JSON.stringify(content))
    return structuredContent
  }
  return { call, close: () => client.close() }
}

const seller = await agent({})
const buyer = await agent({ HEIRLOOM_PRIVATE_KEY: generatePrivateKey() })

const memory = { data: { learned: ['ask twice'] }, metadata: { category: 'support' } }
const { tokenId } = await seller.call('memory_snapshot', memory)
const terms = { price: '1000', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }
await seller.call('market_list', { tokenId, ...terms })
await buyer.call('market_buy', { tokenId, maxPrice: '1000' })
assert.deepEqual((await buyer.call('memory_download', { tokenId })).data, memory.data)
const { token } = await buyer.call('memory_lineage', { tokenId })
assert.equal(token.tokenId, tokenId)
process.stdout.write(`bought token ${tokenId}\n`)
await Promise.all([seller.close(), buyer.close()])
