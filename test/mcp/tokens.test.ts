import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, onTestFinished, test } from 'vitest'
import { eras, overHttp, overStdio, type Revision } from '../harness/mcp/mcp.ts'
import { buyerKey } from '../harness/mcp/sessions.ts'
import { sharedServer } from '../harness/process/shared-server.ts'

const server = sharedServer()

/** The tokens of a list of tools. */
const listTokens = (list: object) => countTokens(JSON.stringify(list))

const wallet = { HEIRLOOM_PRIVATE_KEY: buyerKey, HEIRLOOM_MAX_SPEND_PER_DAY: '1ether' }

async function small(revision: Revision) {
  const environment = { HEIRLOOM_URL: server.url, ...wallet }
  const { client } = await overStdio(environment, revision, { sets: '' })
  onTestFinished(() => client.close())
  return client.listTools()
}

test.each(eras)('the tools of a session are ten, and 3,000 tokens at most, in %s', async (era) => {
  const list = await small(era)
  expect(list.tools).toHaveLength(10)
  expect(listTokens(list)).toBeLessThanOrEqual(3000)
})

test.each(eras)('the tools of /mcp are ten at most, and 2,500 tokens, in %s', async (era) => {
  const client = await overHttp(server.url, era, {}, '/mcp')
  onTestFinished(() => client.close())
  const list = await client.listTools()
  expect(list.tools.length).toBeLessThanOrEqual(10)
  expect(listTokens(list)).toBeLessThanOrEqual(2500)
})
