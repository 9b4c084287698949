import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copierAt, pairOf, publicAccount } from '../harness/copier.ts'
import { agentOf, downloadAs, type HostedServer, hostServer } from '../harness/process/server.ts'

const secret = 'the password is swordfish'
const apiKey = 'a-key-of-some-length'
const [stranger, accomplice] = [publicAccount(3), publicAccount(4)]

/** The response to the owner of a copy. */
const refused = { status: 403, code: 'access/copied', leaks: false }

describe.each([
  ['an open server', {}],
  ['a server with API keys', { API_KEYS: apiKey }],
])('%s', (_, environment) => {
  const home = mkdtempSync(join(tmpdir(), 'copied-'))
  let server: HostedServer
  let copier: Awaited<ReturnType<typeof copierAt>>
  let helper: Awaited<ReturnType<typeof copierAt>>
  let pair: Awaited<ReturnType<typeof pairOf>>
  beforeAll(async () => {
    server = await hostServer({ DATA_DIR: home, ...environment })
    await write('/api/memory/snapshot', { data: { secret }, metadata: { category: 'research' } })
    pair = await pairOf(server.url, '1')
    copier = await copierAt(server.url, stranger)
    helper = await copierAt(server.url, accomplice)
  })
  afterAll(async () => {
    await server.end()
    rmSync(home, { recursive: true })
  })

  async function write(path: string, body: object): Promise<Response> {
    return fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(body),
    })
  }

  async function downloadBy(wallet: PrivateKeyAccount, tokenId: string) {
    const response = await downloadAs(wallet, server.url, tokenId)
    const text = await response.text()
    const leaks = text.includes('swordfish') || response.headers.has('x-content-salt')
    return { status: response.status, code: (JSON.parse(text) as { code?: string }).code, leaks }
  }

  const opened = { status: 200, code: undefined, leaks: true }

  it('opens a memory only for its owner', async () => {
    expect(await downloadBy(agentOf(home), '1')).toEqual(opened)
    expect((await downloadBy(stranger, '1')).code).toBe('access/denied')
  })

  it('opens no copy that a stranger minted as a root', async () => {
    const [copy = ''] = await copier.mint(pair)
    expect(await downloadBy(stranger, copy)).toEqual(refused)
  })

  it('opens no copy that names the original as its parent', async () => {
    const [copy = ''] = await copier.mint(pair, stranger.address, 1n)
    expect(await downloadBy(stranger, copy)).toEqual(refused)
  })

  it('opens no copy that was minted for another wallet, or for the creator of the original', async () => {
    const [given = ''] = await copier.mint(pair, accomplice.address)
    expect(await downloadBy(accomplice, given)).toEqual(refused)
    const [returned = ''] = await copier.mint(pair, agentOf(home).address)
    expect(await downloadBy(agentOf(home), returned)).toEqual(refused)
  })

  it('opens no copy from a batch, with or without a card', async () => {
    const copies = [...(await copier.mintBatch(pair)), ...(await copier.mintDescribed(pair))]
    expect(copies).toHaveLength(3)
    for (const copy of copies) expect(await downloadBy(stranger, copy)).toEqual(refused)
  })

  it('opens no licensed fork of a copy, whatever its depth, and no rented copy', async () => {
    const [copy = ''] = await copier.mint(pair)
    await copier.offer(copy)
    await helper.rent(copy)
    expect(await downloadBy(accomplice, copy)).toEqual(refused)
    const [fork = ''] = await helper.fork(copy)
    await helper.offer(fork)
    const [deeper = ''] = await copier.fork(fork)
    expect(await downloadBy(accomplice, fork)).toEqual(refused)
    expect(await downloadBy(stranger, deeper)).toEqual(refused)
  })

  it('opens a licensed fork of the original for its owner, and no copy of that fork', async () => {
    const terms = { price: '7', rentalPricePerDay: '0', forkPrice: '5', forkRoyaltyBps: 0 }
    expect((await write('/api/marketplace/list', { tokenId: '1', ...terms })).status).toBe(201)
    const [fork = ''] = await helper.fork('1')
    expect(await downloadBy(accomplice, fork)).toEqual(opened)
    const [copy = ''] = await copier.mint(await pairOf(server.url, fork), stranger.address, 1n)
    expect(await downloadBy(stranger, copy)).toEqual(refused)
  })

  it('marks a copy as one wherever it lists tokens, and a licensed fork of it', async () => {
    const [copy = ''] = await copier.mint(pair)
    await copier.offer(copy)
    const [fork = ''] = await helper.fork(copy)
    const marks = async () => {
      const response = await fetch(
        `${server.url}/api/memory?contentHash=${pair.contentHash}&limit=100`,
      )
      const { items } = (await response.json()) as {
        items: { tokenId: string; originality: string }[]
      }
      return Object.fromEntries(items.map((it) => [it.tokenId, it.originality]))
    }
    await expect.poll(marks).toMatchObject({ 1: 'original', [copy]: 'copied', [fork]: 'copied' })
  })

  it('does not pay for a copy, or with a misspelt limit', async () => {
    const [copy = ''] = await copier.mint(pair)
    await copier.offer(copy)
    const marked = async () =>
      (await (await fetch(`${server.url}/api/memory/${copy}/lineage`)).json()) as object
    await expect
      .poll(marked)
      .toMatchObject({ token: { originality: 'copied', listing: { price: '7' } } })
    for (const [verb, body] of [
      ['buy', {}],
      ['fork', { maxPrice: '5' }],
      ['rent', { durationDays: 1 }],
    ] as const) {
      const response = await write(`/api/marketplace/${verb}/${copy}`, body)
      const { code } = (await response.json()) as { code: string }
      expect([response.status, code]).toEqual([409, 'listing/copied'])
    }
    const misspelt = await write('/api/marketplace/buy/1', { maxprice: '1' })
    expect([misspelt.status, await misspelt.json()]).toMatchObject([
      400,
      { code: 'request/malformed', detail: expect.stringContaining('maxPrice') },
    ])
  })
})
