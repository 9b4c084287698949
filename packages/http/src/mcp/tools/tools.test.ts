import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryArguments } from '../../../test/arbitrary-arguments.ts'
import { agent } from '../../../test/server-harness.ts'
import { createClient } from '../../client/client.ts'
import { annotationsOf, type Tool } from './tool.ts'
import { tools, toolsFor } from './tools.ts'

/** What a call of a tool asked of the server, which knew nothing. */
async function askedBy(tool: Tool, args: Record<string, unknown>): Promise<readonly string[]> {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push(`${init?.method ?? 'GET'} ${new URL(`${url}`).pathname}`)
    const problem = { code: 'token/not-found', detail: 'No.', facts: {}, retryable: false }
    const headers = { 'content-type': 'application/problem+json' }
    return new Response(JSON.stringify(problem), { status: 404, headers })
  }
  const client = createClient({ url: 'http://127.0.0.1', account: agent, fetch, retries: 0 })
  const folder = {
    read: async () => Buffer.from('{"data":{},"metadata":{"category":"x"}}'),
    save: async () => undefined,
  }
  const call = tool.run({ client, folder }, args, { signal: new AbortController().signal })
  await expect(call).rejects.toMatchObject({ code: 'token/not-found' })
  return asked
}

const writes = (asked: readonly string[]) => asked.filter((it) => it.startsWith('POST '))
/** What costs a price and not only gas. */
const isPayment = (asked: string) => /\/(buy|rent|fork|royalty)\//.test(asked)

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  test('is marked as what it does, whatever it is asked', async () => {
    const { readOnlyHint, destructiveHint } = annotationsOf[tool.effect]
    const mayWrite = !readOnlyHint && tool.reach !== 'anyone'
    await fc.assert(
      fc.asyncProperty(arbitraryArguments(tool.input), async (args) => {
        const asked = await askedBy(tool, args)
        const payments = asked.filter(isPayment)
        expect(asked.length).toBeGreaterThan(0)
        expect(mayWrite || writes(asked).length === 0).toBe(true)
        expect(payments).toHaveLength(tool.effect === 'pays' ? 1 : 0)
        expect(destructiveHint || payments.length === 0).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('asks for the most that may be paid, if anything is', () => {
    const bounds = (tool.input.required ?? []).filter((it) => ['maxPrice', 'amount'].includes(it))
    expect(bounds).toHaveLength(tool.effect === 'pays' ? 1 : 0)
  })

  test('takes an idempotency key if it writes, and no argument that it does not name', () => {
    const isWrite = ['mints', 'sets', 'pays'].includes(tool.effect)
    expect('idempotencyKey' in tool.input.properties).toBe(isWrite)
    expect(tool.input.additionalProperties).toBe(false)
  })

  test('says what it is for, and what each argument is', () => {
    expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)+$/)
    expect(tool.title).toMatch(/^[A-Z].*[^.]$/)
    expect(tool.description).toMatch(/^[A-Z].*\.$/)
    for (const [name, { description }] of Object.entries(tool.input.properties)) {
      expect(description, name).toMatch(/\S/)
    }
  })
})

test('no two tools have one name, and whoever is nearer is offered more', () => {
  const names = tools.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(toolsFor('folder')).toEqual(tools)
  expect(toolsFor('anyone').map(({ effect }) => effect)).toEqual(
    toolsFor('anyone').map(() => 'reads'),
  )
  const counts = (['anyone', 'owner', 'folder'] as const).map((it) => toolsFor(it).length)
  expect(counts.toSorted((a, b) => a - b)).toEqual(counts)
})
