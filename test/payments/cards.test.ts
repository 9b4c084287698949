import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentCard } from '@a2a-js/sdk'
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOf, paths, wellKnownPaths } from '../../packages/http/src/api/operations/paths.ts'
import { requiredBy, type Shop, shopAt } from '../harness/payments/shop.ts'
import { type HostedServer, hostServer } from '../harness/process/server.ts'

const key = 'a-key-of-some-length'
const home = mkdtempSync(join(tmpdir(), 'cards-'))
const publicUrl = 'https://memories.example'
const contact = 'mailto:security@memories.example'
let server: HostedServer
let shop: Shop
beforeAll(async () => {
  const settings = { PUBLIC_URL: publicUrl, SECURITY_CONTACT: contact }
  server = await hostServer({ DATA_DIR: home, API_KEYS: key, OPEN_ACTS: 'relay', ...settings })
  shop = await shopAt(server.url, key)
})
afterAll(async () => {
  await server.end()
  rmSync(home, { recursive: true })
})

const read = (path: string, url = server.url) => fetch(`${url}${path}`)
const readJson = async <T>(path: string) => (await (await read(path)).json()) as T

test('the card of A2A is read by its package, and has the operations that anyone may use', async () => {
  const card = await new DefaultAgentCardResolver().resolve(server.url)
  const text = await readJson<object>(wellKnownPaths.agentCard)
  expect(AgentCard.toJSON(AgentCard.fromJSON(text))).toMatchObject(text)
  expect(card).toMatchObject({
    name: 'Heirloom',
    supportedInterfaces: [{ url: `${publicUrl}${pathOf('mcp')}`, protocolBinding: 'MCP' }],
  })
  const skills = card.skills.map(({ id }) => id)
  expect(skills).toEqual(expect.arrayContaining(['listings', 'rentByX402', 'x402Search']))
  // These spend what the operator has, and need its key.
  for (const closed of ['snapshot', 'buy', 'list', 'seal']) expect(skills).not.toContain(closed)
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(skills))
})

/** The rules of the schema of the registry of MCP for what the manifest has. */
const manifestOf = (host: string) => ({
  $schema: expect.stringMatching(/^https:\/\/static\.modelcontextprotocol\.io\/schemas\/.*\.json$/),
  name: `${host}/heirloom`,
  title: 'Heirloom',
  description: expect.stringMatching(/^.{1,100}$/),
  version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  websiteUrl: publicUrl,
  remotes: [{ type: 'streamable-http', url: `${publicUrl}/mcp` }],
})

test('the manifest of MCP follows the registry, at both of its places', async () => {
  for (const path of [wellKnownPaths.mcpServer, wellKnownPaths.mcpServerCard]) {
    expect(await readJson(path)).toEqual(manifestOf('example.memories'))
  }
})

test('the registration of ERC-8004 points to what is served', async () => {
  type Registration = { readonly services: readonly { readonly endpoint: string }[] }
  const file = await readJson<Registration>(wellKnownPaths.agentRegistration)
  expect(file).toMatchObject({
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    x402Support: true,
    registrations: [],
  })
  for (const { endpoint } of file.services) {
    expect(endpoint.startsWith(publicUrl)).toBe(true)
    const reply = await read(endpoint.slice(publicUrl.length))
    // MCP is spoken by POST.
    expect([endpoint, reply.status === 404]).toEqual([endpoint, false])
  }
})

test('the manifest of x402 names what is on offer, and a 402 the same origin', async () => {
  const id = await shop.offer({ rentalPricePerDay: '1000000' })
  const manifest = { version: 1, resources: [`${publicUrl}/api/x402/rent/${id}`] }
  expect(await readJson(wellKnownPaths.x402)).toMatchObject(manifest)
  const required = requiredBy(await read(`/api/x402/rent/${id}`))
  expect(required.resource.url).toBe(`${publicUrl}/api/x402/rent/${id}`)
})

test('security.txt has the contact of the setting, and an end within a year', async () => {
  const text = await (await read(wellKnownPaths.security)).text()
  const [, expires = ''] = /^Expires: (\S+)$/m.exec(text) ?? []
  const canonical = `Canonical: ${publicUrl}${wellKnownPaths.security}`
  expect(text).toBe(`Contact: ${contact}\nExpires: ${expires}\n${canonical}\n`)
  const days = (Date.parse(expires) - Date.now()) / 86_400_000
  expect(days > 1 && days < 365).toBe(true)
})

describe('a server that does not know its origin', () => {
  let unnamed: HostedServer
  const folder = mkdtempSync(join(tmpdir(), 'unnamed-'))
  beforeAll(async () => {
    unnamed = await hostServer({ DATA_DIR: folder, API_KEYS: key, TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    await unnamed.end()
    rmSync(folder, { recursive: true })
  })

  test.each(Object.values(wellKnownPaths))('has no %s', async (path) => {
    const reply = await read(path, unnamed.url)
    expect([reply.status, await reply.text()]).toEqual([404, expect.not.stringContaining('127.0')])
  })

  test('names no origin in a 402, and lets nobody sign in', async () => {
    const there = await shopAt(unnamed.url, key)
    const id = await there.offer({ rentalPricePerDay: '1000000' })
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-host': 'evil.example' }
    const required = requiredBy(await fetch(`${unnamed.url}/api/x402/rent/${id}`, { headers }))
    expect(required.resource.url).toBe(`/api/x402/rent/${id}`)
    expect(JSON.stringify(required)).not.toMatch(/evil|127\.0|sign-in/)
  })
})
