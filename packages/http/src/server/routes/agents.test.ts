import { failureCodes } from '@heirloom/core'
import { expect, test } from 'vitest'
import { rowsUnder } from '../../../../../test/docs/docs.ts'
import { openHarness } from '../../../test/server-harness.ts'
import { tools } from '../../mcp/tools/tools.ts'

const { server } = openHarness({ rpc: async () => ({ answer: undefined }) })
const get = (url: string) => server.inject({ url })
const page = (await get('/start-here.md')).body
const paths: readonly string[] = Object.keys((await get('/openapi.json')).json().paths)

/** Returns the words of a cell that are marked as code. */
const coded = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)

test('llms.txt and start-here.md are plain text', async () => {
  const reply = await get('/llms.txt')
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(reply.body).toMatch(/^# Heirloom\n\n> /)
  expect((await get('/start-here.md')).headers['content-type']).toMatch(/^text\/markdown/)
})

test('every link in llms.txt is served', async () => {
  const links = [...(await get('/llms.txt')).body.matchAll(/\]\((\/[^)]*)\)/g)]
  expect(links.length).toBeGreaterThan(5)
  for (const [, link = ''] of links) {
    const isServed = paths.includes(link) || (await get(link)).statusCode !== 404
    expect([link, isServed]).toEqual([link, true])
  }
})

test('the decision table names only existing routes', () => {
  const calls = rowsUnder(page, '## What do you want?').flatMap(([, call]) => coded(call))
  const routes = calls.map((call) => call.replace(/^(GET|POST) /, '').replace(/\?.*$/, ''))
  const known = paths.map((path) => path.replaceAll(/{(\w+)}/g, ':$1'))
  const unknown = routes.filter((route) => {
    const end = route.replace('…', '')
    return !known.some((path) => (route.startsWith('…') ? path.endsWith(end) : path === route))
  })
  expect(routes.length).toBeGreaterThan(10)
  expect(unknown).toEqual([])
})

test('the decision table names only existing tools', () => {
  const named = rowsUnder(page, '## What do you want?').flatMap(([, , tool]) => coded(tool))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !tools.some((tool) => tool.name === name))).toEqual([])
})

test('the table of refusals names only existing failure codes', () => {
  const codes = rowsUnder(page, '## When you are refused').flatMap(([code]) => coded(code))
  expect(codes.length).toBeGreaterThan(15)
  expect(codes.filter((code) => !(failureCodes as readonly string[]).includes(code))).toEqual([])
})
