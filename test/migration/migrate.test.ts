import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import {
  buildNewServer,
  linesOf,
  migrate,
  type NewServer,
  type Run,
} from '../harness/migration/new-server.ts'
import { buildOldServer, type OldServer } from '../harness/migration/old-server.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import {
  downloadAs,
  type HostedServer,
  hostServer,
  post,
  proofHeaders,
} from '../harness/process/server.ts'

type Report = {
  readonly tokens: number
  readonly open: number
  readonly moved: readonly { readonly from: string; readonly to: string; readonly owner: Hex }[]
  readonly staying: readonly { readonly tokenId: string; readonly reason: string }[]
  readonly unlisted: readonly { readonly tokenId: string }[]
  readonly from: { readonly chainId: number; readonly address: Hex }
  readonly heirs: readonly { readonly account: string }[]
  readonly lostRatings: number
  readonly price?: { readonly transactions: number; readonly gas: string }
}

const home = mkdtempSync(join(tmpdir(), 'migrate-'))
let anvil: Anvil
let old: OldServer
let target: NewServer
let server: HostedServer
let planned: Report
let report: Report
const kills: Run[] = []

/** Returns a row of a view of the new registry. */
const read = <T>(functionName: string, ...args: readonly unknown[]): Promise<T> =>
  target.client.readContract({
    address: target.pair.registry,
    abi: memoryRegistryAbi,
    functionName: functionName as never,
    args: args as never,
  }) as Promise<T>

const newIdOf = (id: number): string => {
  const found = report.moved.find(({ from }) => from === String(id))
  if (found === undefined) throw new Error(`Token ${id} was not moved.`)
  return found.to
}

/** Returns the owner of a token on the old server. */
function ownerOf(id: number): Hex {
  const named = { 21: old.agent, 22: old.agent, 23: old.ann }
  const special = { 1: old.ann, 4: old.bob, 7: old.ann, ...named }[id]
  const owners = [old.ann, old.bob, old.agent]
  return (special ?? (id < 12 ? old.agent : owners[id % 3]) ?? old.agent).address
}

/** Returns the new id of the parent of a token; 0 for a root. */
function newParentOf(id: number): string {
  const parent = { 2: 1, 3: 2, 4: 3, 10: 5, 22: 21, 23: 22 }[id]
  return parent === undefined ? '0' : newIdOf(parent)
}

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  old = await buildOldServer(join(home, 'old'))
  target = await buildNewServer(anvil, home)
  const move = { from: old.folder, to: target }
  planned = JSON.parse((await migrate(move, '--dry-run', '--json')).out)
  for (let killAt = 1; killAt < 40; killAt = linesOf(target.folder) + 3) {
    const run = await migrate({ ...move, killAt }, '--yes', '--json')
    if (run.code !== null) break
    kills.push(run)
  }
  report = JSON.parse((await migrate(move, '--status', '--json')).out)
  server = await hostServer(target.env)
})

afterAll(async () => {
  await server?.end()
  await anvil.stop()
  rmSync(home, { recursive: true, force: true })
})

describe('heirloom migrate, killed again and again', () => {
  it('says beforehand what goes and what stays, and why', () => {
    expect(planned).toMatchObject({ tokens: 23, open: 20, moved: [] })
    expect(planned.staying).toMatchObject([
      { tokenId: '8', reason: 'creator-absent' },
      { tokenId: '9', reason: 'copied' },
      { tokenId: '11', reason: 'parent-stays' },
    ])
    expect(planned.unlisted).toMatchObject([{ tokenId: '7' }])
    const plan = { account: old.ann.address, heir: old.bob.address, silenceDays: 180 }
    expect(planned.heirs).toMatchObject([plan])
    expect(planned).toMatchObject({ lostRentals: 1, lostRatings: 1 })
  })

  it('counts the ratings that it leaves behind in every report', async () => {
    const line = '1 rating stays behind: each names a payment on the old contracts.'
    expect(report).toMatchObject({ lostRatings: 1 })
    const move = { from: old.folder, to: target }
    for (const flag of ['--status', '--dry-run'])
      expect((await migrate(move, flag)).out.split('\n')).toContain(line)
  })

  it('was killed at several points, and carried over everything once', async () => {
    expect(kills.length).toBeGreaterThan(3)
    expect(report).toMatchObject({ isFinished: true, open: 0, staying: planned.staying })
    expect(report.moved.length).toBe(20)
    expect(await read<bigint>('totalSupply')).toBe(20n)
  })

  it('keeps creators, owners, content hashes and parents', async () => {
    for (const { from, to } of report.moved) {
      const [creator, , parent, , contentHash, , owner] = await read<readonly unknown[]>(
        'recordOf',
        BigInt(to),
      )
      const found = [creator, contentHash, owner, String(parent)]
      const expected = [old.agent.address, old.hashes[from], ownerOf(Number(from))]
      expect(found).toEqual([...expected, newParentOf(Number(from))])
    }
  })

  it('keeps the claims of the ancestors on every price', async () => {
    const claims = await read<readonly { creator: Hex; royaltyBps: bigint }[]>(
      'royaltyLineageOf',
      BigInt(newIdOf(4)),
    )
    expect(claims.map(({ creator, royaltyBps }) => [creator, royaltyBps])).toEqual([
      [old.agent.address, 500n],
      [old.agent.address, 300n],
    ])
  })

  it('opens each memory for its owner and its renter, and for nobody else', async () => {
    const open = async (who: PrivateKeyAccount, id: number) => {
      const response = await downloadAs(who, server.url, newIdOf(id))
      const body = (await response.json()) as { data?: object; code?: string }
      return [response.status, body.data ?? body.code, response.headers.get('x-content-hash')]
    }
    const first = [200, { number: 1 }, old.hashes[1]]
    expect(await open(old.ann, 1)).toEqual(first)
    expect(await open(old.renter, 1)).toEqual(first)
    expect(await open(old.agent, 2)).toEqual(first)
    expect(await open(old.bob, 4)).toEqual(first)
    expect(await open(old.ann, 12)).toEqual([200, { number: 12 }, old.hashes[12]])
    for (const who of [old.stranger, old.bob, old.agent])
      expect((await open(who, 1)).slice(0, 2)).toEqual([403, 'access/denied'])
  })

  it('keeps listings whose owner is here, and the card', async () => {
    const listed = (id: number) =>
      target.client.readContract({
        address: target.pair.marketplace,
        abi: memoryMarketplaceAbi,
        functionName: 'listingOf',
        args: [BigInt(newIdOf(id))],
      })
    expect((await listed(5)).slice(0, 5)).toEqual([old.agent.address, 1000n, 0n, 70n, 250n])
    expect((await listed(6)).slice(1, 4)).toEqual([5_000_000n, 0n, 0n])
    expect((await listed(6))[8]).toBe(target.pair.dollar)
    expect((await listed(1)).slice(1, 4)).toEqual([0n, 0n, 0n])
    expect((await listed(7)).slice(1, 4)).toEqual([0n, 0n, 0n])
    const url = `${server.url}/api/memory?contentHash=${old.hashes[5]}`
    const { items } = (await (await fetch(url)).json()) as { items: readonly object[] }
    expect(items).toMatchObject([{ tokenId: newIdOf(5), originality: 'original' }])
    const lineage = await (await fetch(`${server.url}/api/memory/${newIdOf(1)}/lineage`)).json()
    expect(lineage).toMatchObject({ token: { card: { title: 'The first' } } })
  })

  it('leads from each id of before to the token that it is now, and opens that', async () => {
    const { chainId, address } = report.from
    const place = `registries/${chainId}/${address}`
    for (const { from, to } of report.moved) {
      const info = await fetch(`${server.url}/api/${place}/memory/${from}/info`)
      expect(await info.json()).toMatchObject({ tokenId: to, contentHash: old.hashes[from] })
    }
    const view = `${server.url}/${place}/token/4`
    const { status, headers } = await fetch(view, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([307, `/token/${newIdOf(4)}`])
    const open = async (who: PrivateKeyAccount, id: string) => {
      const path = `${server.url}/api/${place}/memory/${id}`
      const response = await fetch(path, { headers: await proofHeaders(who, id) })
      return [response.status, ((await response.json()) as { code?: string }).code]
    }
    expect(await open(old.bob, '4')).toEqual([200, undefined])
    expect(await open(old.stranger, '4')).toEqual([403, 'access/denied'])
    expect(await open(old.bob, '8')).toEqual([404, 'token/not-moved'])
  })

  it('keeps the names, whose versions share their parts as before', async () => {
    const versions = async () => {
      const reply = await fetch(`${server.url}/api/names/ada/versions`)
      return ((await reply.json()) as { items: readonly Record<string, unknown>[] }).items
    }
    const found = await versions()
    expect(found.map(({ version, tokenId }) => [version, tokenId])).toEqual(
      [3, 2, 1].map((version) => [version, newIdOf(20 + version)]),
    )
    expect(found.map(({ contentHash }) => contentHash)).toEqual(
      [23, 22, 21].map((id) => old.hashes[id]),
    )
    const [third = 0, second = 0, first = 0] = found.map(({ storedBytes }) => Number(storedBytes))
    expect(first).toBeGreaterThan(100_000)
    expect(Math.max(second, third)).toBeLessThan(first / 4)
    const next = { data: { notes: [] }, metadata: { category: 'research' }, name: 'ada' }
    const save = (after: string) =>
      post(server.url, '/api/memory/snapshot', JSON.stringify({ ...next, after }))
    expect((await save(newIdOf(22))).status).toBe(409)
    expect((await save(newIdOf(23))).status).toBe(201)
    expect(await versions()).toMatchObject([{ version: 4 }, ...found])
  })

  it('takes no more transactions and gas than it said', async () => {
    const { gasUsed, count } = await spent()
    expect(planned.price?.transactions).toBe(count)
    expect(gasUsed).toBeLessThanOrEqual(BigInt(planned.price?.gas ?? 0))
  })

  it('does nothing when it is run again', async () => {
    const again = await migrate({ from: old.folder, to: target }, '--dry-run', '--json')
    expect(again.err).toMatch(/^$/)
    expect(JSON.parse(again.out)).toMatchObject({ open: 0, price: { transactions: 0 } })
  })

  it('carries over what stayed once the key of its creator is here', async () => {
    await server.end()
    const keys = join(home, 'bob.keys')
    writeFileSync(keys, `${old.bobsKey}\n`)
    const flags = ['--yes', '--json', '--keys', keys]
    const { out } = await migrate({ from: old.folder, to: target }, ...flags)
    report = JSON.parse(out)
    const stay = { staying: [{ tokenId: '9', reason: 'copied' }], lostRatings: 1 }
    expect(report).toMatchObject({ ...stay, open: 0 })
    expect(await read<bigint>('totalSupply')).toBe(23n)
    const [creator, , , , contentHash] = await read<readonly unknown[]>(
      'recordOf',
      BigInt(newIdOf(8)),
    )
    expect([creator, contentHash]).toEqual([old.bob.address, old.hashes[8]])
    server = await hostServer(target.env)
    expect((await downloadAs(old.bob, server.url, newIdOf(8))).status).toBe(200)
    expect((await downloadAs(old.agent, server.url, newIdOf(8))).status).toBe(403)
  })

  it('is known to a server that was restored from a backup', async () => {
    const [saved, restored] = [join(home, 'saved'), join(home, 'restored')]
    const backup = await heirloom(target.env, 'backup', saved)
    expect(backup.code, backup.errors).toBe(0)
    const back = await heirloom(target.env, 'restore', saved, '--into', restored)
    expect(back.code, back.errors).toBe(0)
    const [before, after] = [target.folder, restored].map((it) =>
      readFileSync(join(it, 'migration.jsonl'), 'utf8'),
    )
    expect(after).toBe(before)
  })

  it('leaves the old server as it was', async () => {
    const before = await hostServer({ DATA_DIR: old.folder })
    try {
      expect((await downloadAs(old.ann, before.url, '1')).status).toBe(200)
      expect((await downloadAs(old.stranger, before.url, '1')).status).toBe(403)
    } finally {
      await before.end()
    }
  })
})

/** Returns the gas and the number of the transactions of the migration. */
async function spent(): Promise<{ readonly gasUsed: bigint; readonly count: number }> {
  const { client, pair } = target
  let [gasUsed, count] = [0n, 0]
  for (let number = 0n; number <= (await client.getBlockNumber()); number++) {
    const { transactions } = await client.getBlock({ blockNumber: number })
    for (const hash of transactions) {
      const receipt = await client.getTransactionReceipt({ hash })
      if (receipt.to?.toLowerCase() !== pair.forwarder.toLowerCase()) continue
      gasUsed += receipt.gasUsed
      count += 1
    }
  }
  return { gasUsed, count }
}
