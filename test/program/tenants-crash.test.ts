import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { mustPrint } from '../harness/process/heirloom.ts'
import { hostServer, startServer } from '../harness/process/server.ts'
import { times } from '../tier.ts'

const rounds = times(2, 4)

/** A memory that a tenant wants once, under one idempotency key. */
type Wish = { readonly key: string; readonly name: string; tokenId?: string }

/** Makes a data folder with tenants, and returns its environment and the API key of each. */
async function makeHouse(names: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tenants-crash-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATA_DIR: join(folder, 'data'), API_KEYS_FILE: join(folder, 'keys.json') }
  const heirloom = (words: string) => mustPrint(env, ...words.split(' '))
  await (await hostServer({ DATA_DIR: env.DATA_DIR })).end()
  const keys: string[] = []
  for (const name of names) {
    await heirloom(`tenants add ${name}`)
    keys.push(await heirloom(`api-key new ${name} --tenant ${name}`))
  }
  return { env, keys }
}

/** Posts wishes of one tenant, one after another, until the server is gone. */
async function send(url: string, apiKey: string, wishes: readonly Wish[]): Promise<void> {
  for (const wish of wishes) {
    const body = JSON.stringify({ data: { of: wish.name }, metadata: { category: 'research' } })
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': wish.key,
    }
    const reply = await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
      .then(async (it) => ({ status: it.status, body: await it.json() }))
      .catch(() => undefined)
    if (reply === undefined) return
    expect(reply.status).toBe(201)
    const { tokenId } = reply.body as { tokenId: string }
    // An earlier answer stays the answer.
    expect(tokenId).toBe(wish.tokenId ?? tokenId)
    wish.tokenId = tokenId
  }
}

test('kills lose and double nothing of any tenant', async () => {
  const names = ['ada', 'ben', 'cleo']
  const { env, keys } = await makeHouse(names)
  const wishes = names.map(() => [] as Wish[])
  const [delays] = fc.sample(fc.array(fc.nat(700), { minLength: rounds, maxLength: rounds }), {
    seed: Number(process.env.FC_SEED ?? 1),
    numRuns: 1,
  })
  for (const [round, delay] of (delays ?? []).entries()) {
    const server = await startServer(env)
    for (const [at, own] of wishes.entries()) {
      const more = Array.from({ length: 30 }, (_, it) => `${round}-${it}`)
      // All tenants use the same idempotency keys.
      own.push(...more.map((key) => ({ key, name: `${names[at]}` })))
    }
    const sending = wishes.map((own, at) => send(server.url, `${keys[at]}`, own))
    await new Promise((resolve) => setTimeout(resolve, delay))
    await server.end('SIGKILL')
    await Promise.all(sending)
  }
  const server = await startServer(env)
  await Promise.all(wishes.map((own, at) => send(server.url, `${keys[at]}`, own)))
  for (const [at, own] of wishes.entries()) {
    const headers = { authorization: `Bearer ${keys[at]}` }
    const wallet = await (await fetch(`${server.url}/api/wallet`, { headers })).json()
    const { address } = wallet as { address: string }
    const minted = await tokensOf(server.url, address)
    expect(minted.toSorted()).toEqual(own.map(({ tokenId }) => `${tokenId}`).toSorted())
    expect(new Set(minted).size).toBe(rounds * 30)
  }
  expect(await server.end('SIGTERM')).toBe(0)
})

/** Returns the ids of all tokens that a wallet created. */
async function tokensOf(url: string, creator: string): Promise<readonly string[]> {
  const ids: string[] = []
  let after = ''
  do {
    const reply = await fetch(`${url}/api/memory?creator=${creator}&limit=100${after}`)
    const page = (await reply.json()) as { items: { tokenId: string }[]; next: string | null }
    ids.push(...page.items.map(({ tokenId }) => tokenId))
    after = page.next === null ? '' : `&after=${encodeURIComponent(page.next)}`
  } while (after !== '')
  return ids
}
