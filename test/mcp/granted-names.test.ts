import type { Client } from '@modelcontextprotocol/client'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { toolFailure, toolJson, toolResult, toolText } from '../harness/mcp/mcp.ts'
import { buyer, buyerKey, fundedWallet, openSessions, session } from '../harness/mcp/sessions.ts'

const { server } = openSessions()

const owner = privateKeyToAddress(fundedWallet.HEIRLOOM_PRIVATE_KEY as `0x${string}`)
const metadata = { category: 'support' }
const unknown = `0x${'ab'.repeat(32)}`

/** The sentence for a name with its owner, without a grant. */
const ofAnother = (name: string) =>
  expect.stringContaining(
    `${name} is a name of another account: give the id of its grant as grant.`,
  )

/** Returns a session with one version of a name, one of its reader, and the grants of that. */
async function granted(name: string, sets: string) {
  const at = { HEIRLOOM_URL: server.url }
  const mine = await session({ ...at, ...fundedWallet })
  const theirs = await session({ ...at, HEIRLOOM_PRIVATE_KEY: buyerKey }, undefined, sets)
  const data = { notes: ['tea', 'rain'] }
  const { tokenId: first } = await toolResult(mine, 'own_save', {
    name,
    data,
    metadata,
    after: '0',
  })
  const terms = { name, reader: buyer, expires: Math.floor(Date.now() / 1000) + 3600 }
  const { id: reads } = await toolResult(mine, 'own_grant', terms)
  const { id, statement, others } = await toolResult(mine, 'own_grant', { ...terms, save: true })
  expect(others).toEqual([
    expect.stringMatching(`^It may read by ${reads} already, .* Revoking one leaves the other.$`),
  ])
  expect(statement).toContain(`I let ${buyer} read and save the memory of ${name}`)
  const saves = { name: `${owner}:${name}`, grant: id }
  return { mine, theirs, first, saves, reads: { ...saves, grant: reads } }
}

type Version = { readonly tokenId: string; readonly savedBy: string; readonly owner: string }

const logOf = async (client: Client, name: string) =>
  (await toolResult<{ items: readonly Version[] }>(client, 'own_log', { name })).items

/** Expects that a call of a tool with any of these arguments is refused with a code. */
async function expectRefused(
  client: Client,
  tool: string,
  cases: readonly (readonly [object, string])[],
) {
  for (const [args, code] of cases) {
    expect([args, (await toolFailure(client, tool, { ...args })).code]).toEqual([args, code])
  }
}

test('an agent reads, saves to and forgets in a granted name by the tools for a small context', async () => {
  const name = 'small/shared'
  const { mine, theirs, first, saves, reads } = await granted(name, 'small')
  const value = { value: 'likes biscuits' }
  const text = { text: 'rain' }
  const alone = { name: saves.name, memory: saves.name }
  for (const [tool, args] of [
    ['save', { name: alone.name, ...value }],
    ['save', { name: alone.name, data: {} }],
    ['forget', { name: alone.name, ...text }],
    ['memories', { name: alone.name }],
    ['recall', { name: alone.name, ...text }],
    ['outline', { memory: alone.memory }],
    ['read_part', { memory: alone.memory }],
    ['search_in', { memory: alone.memory, ...text }],
    ['show', { memory: alone.memory }],
  ] as const) {
    expect([tool, await toolFailure(theirs, tool, args)]).toMatchObject([
      tool,
      { code: 'name/malformed', sentence: ofAnother(saves.name) },
    ])
  }
  for (const [tool, more] of [
    ['save', value],
    ['forget', text],
  ] as const) {
    await expectRefused(theirs, tool, [
      [{ ...reads, ...more }, 'access/denied'],
      [{ ...saves, ...more, grant: unknown }, 'access/denied'],
      [{ ...saves, ...more, name }, 'name/malformed'],
      [{ ...saves, ...more, name: `${buyer}:${name}` }, 'name/malformed'],
    ])
  }
  await expectRefused(theirs, 'save', [
    [{ grant: saves.grant, data: {} }, 'value/invalid'],
    [{ ...saves, data: {} }, 'name/moved'],
  ])
  expect(await logOf(mine, name)).toHaveLength(1)

  expect(await toolJson(theirs, 'save', { ...saves, ...value })).toMatchObject({ version: 2 })
  const forgotten = await toolJson(theirs, 'forget', { ...saves, ...text })
  expect(forgotten).toMatchObject({ forgot: '/data/notes/1', version: 3 })
  expect(forgotten.note).toMatch(/who alone can erase them\.$/)
  const data = { notes: ['tea'] }
  await expectRefused(theirs, 'save', [[{ ...saves, data, after: first }, 'name/moved']])
  const { memory, grant } = { memory: saves.name, grant: reads.grant }
  const part = await toolJson(theirs, 'read_part', { memory, grant, at: '/data/notes' })
  expect(part).toMatchObject({ value: ['tea', 'likes biscuits'], from: expect.any(String) })
  const before = { memory: `${memory}@2`, grant, at: '/data/notes/1' }
  expect(await toolJson(theirs, 'read_part', before)).toMatchObject({ value: 'rain' })
  expect(await toolText(theirs, 'outline', { memory, grant })).toContain('array of 2 items')
  const found = await toolJson(theirs, 'search_in', { memory, grant, text: 'biscuits' })
  expect(found.matches[0]).toMatchObject({ at: '/data/notes/1' })
  const listed = await toolJson(theirs, 'memories', { name: memory, grant })
  expect(listed.versions.map((it: { version: number }) => it.version)).toEqual([3, 2, 1])
  for (const named of [{ name: memory }, {}]) {
    const answers = await toolJson(theirs, 'recall', {
      ...named,
      grant,
      limit: 1,
      text: 'biscuits',
    })
    expect(answers).toMatchObject({
      matches: [{ memory, at: '/data/notes/1' }],
      searched: '1 of 1 memories',
      guards: [{ memory, from: expect.stringContaining('another account') }],
    })
  }
  for (const [tool, more] of [
    ['memories', {}],
    ['recall', text],
  ] as const) {
    await expectRefused(theirs, tool, [
      [{ name: memory, grant: unknown, ...more }, 'access/denied'],
      [{ name: `${buyer}:${name}`, grant, ...more }, 'name/malformed'],
      [{ name, grant, ...more }, 'name/malformed'],
    ])
  }
  await expectRefused(theirs, 'memories', [[{ grant }, 'value/invalid']])

  const versions = await logOf(mine, name)
  expect(versions.map((it) => [it.owner, it.savedBy])).toEqual([
    [owner, buyer],
    [owner, buyer],
    [owner, owner],
  ])
  await toolResult(mine, 'grants_revoke', { grant: saves.grant })
  await expectRefused(theirs, 'save', [[{ ...saves, ...value }, 'access/denied']])
  await expectRefused(theirs, 'forget', [[{ ...saves, text: 'tea' }, 'access/denied']])
  expect(await logOf(mine, name)).toHaveLength(3)
})

test('many saves of two sessions to one granted name lose nothing', async () => {
  const { mine, theirs, saves } = await granted('small/many', 'small')
  const other = await session(
    { HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: buyerKey },
    undefined,
    'small',
  )
  const values = Array.from({ length: 6 }, (_, at) => `note ${at}`)
  await Promise.all(
    values.map((value, at) => toolJson(at % 2 === 0 ? theirs : other, 'save', { ...saves, value })),
  )
  const { data } = await toolResult<{ data: { notes: string[] } }>(mine, 'own_open', {
    name: 'small/many',
    flagged: true,
  })
  expect(data.notes.toSorted()).toEqual(['tea', 'rain', ...values].toSorted())
})

test('an agent opens and saves to a granted name by the exact tools', async () => {
  const name = 'exact/shared'
  const { mine, theirs, first, saves, reads } = await granted(name, 'all')
  const { items } = await toolResult<{ items: { name: string; rights: string }[] }>(
    mine,
    'grants_list',
  )
  const rights = items.filter((it) => it.name === name).map((it) => it.rights)
  expect(rights.toSorted()).toEqual(['read', 'read and save'])
  const opened = await toolResult(theirs, 'names_open', reads)
  expect(opened).toMatchObject({ tokenId: first, data: { notes: ['tea', 'rain'] } })
  expect(opened.guard).toMatchObject({ from: expect.stringContaining('another account') })
  const byName = await toolResult(mine, 'memory_openings', { tokenId: name })
  expect(byName).toEqual(await toolResult(mine, 'memory_openings', { tokenId: first }))
  const next = { data: { notes: [] }, metadata, after: first }
  const exact = { ...next, name: saves.name }
  for (const [tool, args] of [
    ['names_log', { name: saves.name }],
    ['names_open', { name: saves.name }],
    ['names_save', exact],
    ['memory_openings', { tokenId: saves.name }],
  ] as const) {
    expect(await toolFailure(theirs, tool, args)).toMatchObject({ sentence: ofAnother(saves.name) })
  }
  await expectRefused(theirs, 'names_save', [
    [{ ...reads, ...next }, 'access/denied'],
    [{ ...saves, ...next, grant: unknown }, 'access/denied'],
    [{ ...saves, ...next, name }, 'name/malformed'],
    [{ ...saves, ...next, after: '0' }, 'name/moved'],
  ])
  const saved = await toolResult(theirs, 'names_save', { ...saves, ...next })
  expect(saved).toMatchObject({ version: 2 })
  await expectRefused(theirs, 'names_save', [[{ ...saves, ...next }, 'name/moved']])
  const log = await toolResult<{ items: readonly Version[] }>(theirs, 'names_log', saves)
  expect(log.items).toMatchObject([{ tokenId: saved.tokenId, savedBy: buyer }, { savedBy: owner }])
  await toolResult(mine, 'grants_revoke', { grant: 'all' })
  await expectRefused(theirs, 'names_save', [
    [{ ...saves, ...next, after: saved.tokenId }, 'access/denied'],
  ])
  await expectRefused(theirs, 'names_log', [[saves, 'access/denied']])
  expect(await logOf(mine, name)).toHaveLength(2)
})

test('the own wallet grants a token or a name, and saving to a name alone', async () => {
  const mine = await session({ HEIRLOOM_URL: server.url, ...fundedWallet })
  const terms = { reader: buyer, expires: Math.floor(Date.now() / 1000) + 3600 }
  const both = { tokenId: '1', name: 'ada' }
  await expectRefused(mine, 'own_grant', [
    [terms, 'value/invalid'],
    [{ ...terms, ...both }, 'value/invalid'],
    [{ ...terms, tokenId: '1', save: true }, 'value/invalid'],
    [{ ...terms, name: 'nobodys', save: true }, 'name/not-found'],
  ])
})
