import { beforeAll, expect, test } from 'vitest'
import { smallTools } from '../../packages/http/src/mcp/small/small-tools.ts'
import { bare, read, rowsUnder } from '../docs/docs.ts'
import {
  byDownload,
  byExactParts,
  bySmallTools,
  type Call,
  costOf,
  manyNotes,
} from '../harness/mcp/conversation.ts'
import { toolResult } from '../harness/mcp/mcp.ts'
import { fundedWallet, openSessions, session } from '../harness/mcp/sessions.ts'
import { post } from '../harness/process/server.ts'

const { server, asAgent, asSmall } = openSessions()

const data = { notes: manyNotes() }
const metadata = { category: 'notes' }

/** Lists a memory of another wallet for sale, which each conversation buys. */
async function offerOne(): Promise<void> {
  const seller = await session({ HEIRLOOM_URL: server.url, ...fundedWallet })
  const memory = { data: { text: 'light' }, metadata, card: { title: 'A lighthouse' } }
  const { tokenId } = await toolResult(seller, 'own_snapshot', memory)
  const terms = { price: '0.01ether', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }
  await toolResult(seller, 'own_list', { tokenId, ...terms })
}

beforeAll(async () => {
  const body = JSON.stringify({ name: 'ada', data, metadata })
  expect((await post(server.url, '/api/memory/snapshot', body)).status).toBe(201)
})

const isSmall = (name: string) => smallTools.some((it) => it.name === name)

/** The calls and the tokens of a conversation, as the table of the documentation has them. */
async function measure(talk: (call: Call) => Promise<unknown>, sets: 'all' | 'small') {
  await offerOne()
  const client = await (sets === 'all' ? asAgent() : asSmall())
  return costOf(client, talk, (name) => sets === 'small' || !isSmall(name))
}

const documented = rowsUnder(read('docs/mcp.md'), '## Tokens').map(([of, calls, tokens]) => ({
  of: bare(of),
  calls: Number(calls),
  tokens: Number(tokens?.replaceAll(',', '')),
}))

function expectDocumented(row: number, { calls, tokens }: { calls: number; tokens: number }) {
  const { of, ...figures } = documented[row] ?? { of: 'no row', calls: 0, tokens: 0 }
  const measured = `${of}: ${calls} calls, ${tokens} tokens`
  expect(figures.calls, measured).toBe(calls)
  expect(Math.abs(tokens / figures.tokens - 1), measured).toBeLessThan(0.05)
}

test('a conversation over 5 MB takes a tenth of the tokens, as docs/mcp.md says', async () => {
  const small = await measure(bySmallTools, 'small')
  const exact = await measure(byExactParts, 'all')
  expectDocumented(2, small)
  expectDocumented(1, exact)
  expect(small.tokens).toBeLessThanOrEqual(exact.tokens / 10)
})

test('reading and saving all of 5 MB takes hundreds of times as many', async () => {
  expectDocumented(0, await measure(byDownload(data), 'all'))
})
