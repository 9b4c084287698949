import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { arbitraryArguments } from '../../../test/arbitrary-arguments.ts'
import { agent } from '../../../test/server-harness.ts'
import { createClient } from '../../client/client.ts'
import { openWallet } from '../../wallet/open-wallet.ts'
import { withoutUnits } from '../amounts.ts'
import { annotationsOf, type Tool } from './tool.ts'
import { tools, toolsFor } from './tools.ts'

/** Calls a tool on a server without tokens, and returns the requests it makes. */
async function requestsOf(tool: Tool, args: Record<string, unknown>): Promise<readonly string[]> {
  const requests: string[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    requests.push(`${init?.method ?? 'GET'} ${new URL(`${url}`).pathname}`)
    const problem = { code: 'token/not-found', detail: 'No.', facts: {}, retryable: false }
    const headers = { 'content-type': 'application/problem+json' }
    return new Response(JSON.stringify(problem), { status: 404, headers })
  }
  const client = createClient({ url: 'http://127.0.0.1', account: agent, fetch, retries: 0 })
  const folder = {
    read: async () => Buffer.from('{"data":{},"metadata":{"category":"x"}}'),
    save: async () => undefined,
  }
  const wallet = () => openWallet({ url: 'http://127.0.0.1', account: agent, fetch, retries: 0 })
  const own = tool.reach === 'own' ? { wallet } : {}
  const call = tool.run({ client, folder, ...own }, args, { signal: new AbortController().signal })
  // A proof for a grant names the server, which this one does not.
  const codes = ['token/not-found', ...(args.grant === undefined ? [] : ['seal/not-offered'])]
  await expect(call).rejects.toMatchObject({ code: expect.toBeOneOf(codes) })
  return requests
}

/**
 * Returns arguments with one bound in wei and the confirmation: tools of the own wallet that pay need
 * a bound or two, and the one that erases needs the token twice.
 */
function complete(tool: Tool, arbitrary: Record<string, unknown>): Record<string, unknown> {
  const args = withoutUnits(tool.input, arbitrary) as Record<string, unknown>
  const needed = neededArguments[tool.name]
  if (needed !== undefined) return { ...args, ...needed }
  if (tool.effect === 'erases') return { ...args, confirm: args.tokenId }
  if (tool.reach !== 'own' || tool.effect !== 'pays') return args
  const { dollars: _, ...rest } = args
  return 'amount' in tool.input.properties
    ? { ...rest, amount: args.amount ?? '5' }
    : { ...args, maxPrice: args.maxPrice ?? '5' }
}

/** Private names in place of arbitrary ones: the client sends no request for a malformed one. */
const plainNames = { name: 'ada', to: 'bo', memory: 'ada' } as const

const withPlainNames = (args: Record<string, unknown>): Record<string, unknown> => {
  const isNamed = 'name' in args || 'memory' in args
  const replace = ([key, value]: [string, unknown]) => [
    key,
    isNamed && key in plainNames ? plainNames[key as keyof typeof plainNames] : value,
  ]
  return Object.fromEntries(Object.entries(args).map(replace))
}

/** Arguments of tools that need, or exclude, each other. */
const neededArguments: Readonly<Record<string, object>> = {
  own_grant: { tokenId: '5', name: undefined, save: undefined },
  memories: { name: 'ada' },
  browse: { owner: undefined, maxPrice: '0.1ether' },
  save: { data: undefined, name: 'ada', value: 'calm', at: undefined },
  forget: { name: 'ada', at: '/data/notes/0', text: undefined },
  buy: { how: 'rent', days: 2, maxPrice: '5' },
}

const writes = (requests: readonly string[]) => requests.filter((it) => it.startsWith('POST '))
/** Returns whether a request pays a price, and not only gas. */
const isPayment = (request: string) => /\/(buy|rent|fork|royalty)\//.test(request)

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  test('has the annotations of its effect, for any arguments', async () => {
    const { readOnlyHint, destructiveHint } = annotationsOf[tool.effect]
    const mayWrite = !readOnlyHint && tool.reach !== 'anyone'
    await fc.assert(
      fc.asyncProperty(arbitraryArguments(tool.input).map(withPlainNames), async (args) => {
        const requests = await requestsOf(tool, complete(tool, args))
        const payments = requests.filter(isPayment)
        expect(requests.length).toBeGreaterThan(0)
        expect(mayWrite || writes(requests).length === 0).toBe(true)
        // The own wallet pays on the chain, and not by a request to the server.
        const paysByRequest = tool.effect === 'pays' && tool.reach !== 'own'
        expect(payments).toHaveLength(paysByRequest ? 1 : 0)
        expect(destructiveHint || payments.length === 0).toBe(true)
      }),
      { numRuns: times(5, 20) },
    )
  })

  test('requires the highest price if it pays', async () => {
    const bounds = (tool.input.required ?? []).filter((it) => ['maxPrice', 'amount'].includes(it))
    const isOwn = tool.reach === 'own' && tool.effect === 'pays'
    expect(bounds).toHaveLength(tool.effect === 'pays' && !isOwn ? 1 : 0)
    if (!isOwn) return
    // A limit in one of two currencies is enough; without any the wallet is not even opened.
    const context = { signal: new AbortController().signal }
    const call = tool.run({ client: createClient({ url: 'http://127.0.0.1:1' }) }, {}, context)
    await expect(call).rejects.toMatchObject({ code: 'value/invalid' })
  })

  test('requires the token twice if it erases', async () => {
    expect((tool.input.required ?? []).includes('confirm')).toBe(tool.effect === 'erases')
    if (tool.effect !== 'erases') return
    const context = { signal: new AbortController().signal }
    const client = createClient({ url: 'http://127.0.0.1:1' })
    const call = tool.run({ client }, { tokenId: '7', confirm: '8' }, context) as Promise<unknown>
    await expect(call).rejects.toMatchObject({ code: 'value/invalid' })
  })

  test('accepts an idempotency key if it writes, and no unknown argument', () => {
    const isWrite = ['mints', 'sets', 'pays', 'moves'].includes(tool.effect)
    expect('idempotencyKey' in tool.input.properties).toBe(isWrite)
    expect(tool.input.additionalProperties).toBe(false)
  })

  test('describes itself and each argument', () => {
    expect(tool.name).toMatch(tool.output ? /^[a-z]+(_[a-z]+)+$/ : /^[a-z]+(_[a-z]+)*$/)
    expect(tool.title).toMatch(/^[A-Z].*[^.]$/)
    expect(tool.description).toMatch(/^[A-Z].*\.$/)
    for (const [name, { description }] of Object.entries(tool.input.properties)) {
      expect(description, name).toMatch(/\S/)
    }
  })
})

test('the names of tools are distinct, and a wider reach has more tools', () => {
  const names = tools.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(toolsFor('folder', 'own')).toEqual(tools)
  expect(toolsFor('anyone').map(({ effect }) => effect)).toEqual(
    toolsFor('anyone').map(() => 'reads'),
  )
  const counts = (['anyone', 'owner', 'folder'] as const).map((it) => toolsFor(it).length)
  expect(counts.toSorted((a, b) => a - b)).toEqual(counts)
})
