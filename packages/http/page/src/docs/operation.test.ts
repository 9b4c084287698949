import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildRequest,
  listOperations,
  matchesSearch,
  type OpenApi,
  toCommand,
} from './operation.ts'

const document: OpenApi = {
  info: { title: 'Heirloom', version: '1' },
  paths: {
    '/api/memory/{tokenId}': {
      get: {
        operationId: 'download',
        summary: 'Downloads a memory',
        parameters: [
          { name: 'tokenId', in: 'path', required: true },
          { name: 'from', in: 'query' },
          { name: 'x-timestamp', in: 'header' },
        ],
        security: [{ apiKey: [] }],
      },
    },
    '/api/memory': {
      post: { operationId: 'snapshot', requestBody: { content: { 'application/json': {} } } },
    },
  },
}
const [download, snapshot] = listOperations(document)
if (download === undefined || snapshot === undefined) throw new Error('The routes are missing.')

test('a route that needs a signed proof is none that takes a key', () => {
  const proof = [{ walletAddress: [], walletSignature: [], walletTimestamp: [] }]
  const either = [{}, { apiKey: [] }, ...proof]
  const needs = [proof, either, [{}], undefined].map((security) => {
    const get = { operationId: 'read', ...(security !== undefined && { security }) }
    const [operation] = listOperations({ ...document, paths: { '/api': { get } } })
    return [operation?.needsProof, operation?.takesKey]
  })
  expect(needs).toEqual([
    [true, false],
    [false, true],
    [false, false],
    [false, false],
  ])
})

test('a typed value stays in its place of the request', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter((it) => it.trim() !== ''),
      (value) => {
        const typed = { parameters: { tokenId: value, from: value }, body: '' }
        const url = new URL(buildRequest(download, typed).url, 'http://server.example')
        expect(url.origin).toBe('http://server.example')
        expect(url.searchParams.get('from')).toBe(value.trim())
        if (!/^\.{1,2}$/.test(value.trim())) {
          expect(url.pathname.split('/').slice(0, 3)).toEqual(['', 'api', 'memory'])
          expect(decodeURIComponent(url.pathname.split('/').at(-1) ?? '')).toBe(value.trim())
        }
      },
    ),
  )
})

test('a command quotes what was typed, and names the key without having it', () => {
  const body = `{"text":"it's"}`
  const request = buildRequest(snapshot, { parameters: {}, body })
  expect(toCommand(request, { origin: 'http://localhost', takesKey: true })).toBe(
    [
      `curl -X POST 'http://localhost/api/memory'`,
      `-H 'content-type: application/json'`,
      '-H "authorization: Bearer $HEIRLOOM_API_KEY"',
      `-d '{"text":"it'\\''s"}'`,
    ].join(' \\\n  '),
  )
})

test('a search finds routes by path, words and name', () => {
  expect(matchesSearch(download, 'DOWNLOADS memory')).toBe(true)
  expect(matchesSearch(download, '')).toBe(true)
  expect(matchesSearch(download, 'x-timestamp')).toBe(true)
  expect(matchesSearch(snapshot, 'downloads')).toBe(false)
})
