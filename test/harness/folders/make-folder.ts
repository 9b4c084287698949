import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Client, createClient } from '@heirloom/http/client'
import { openWallet } from '@heirloom/http/wallet'
import type { PrivateKeyAccount } from 'viem/accounts'
import {
  readInstallation,
  writeInstallation,
} from '../../../packages/http/src/server/installation.ts'
import { setup as buildProgram } from '../../build-program.ts'
import { publicAccount } from '../copier.ts'
import { agentOf, type Snapshot, startServer } from '../process/server.ts'
import { type ExpectedFolder, type ExpectedMemory, foldersFolder } from './fixture-folders.ts'

// Makes the fixture of a data folder as this code writes it: node test/harness/folders/make-folder.ts NAME

const [name] = process.argv.slice(2)
if (name === undefined) throw new Error('The name of the fixture is missing: a release.')
const target = join(foldersFolder, name)
if (existsSync(target)) throw new Error(`${target} exists, and a fixture never changes.`)

/** Files that only a running server needs. */
const passing = /^lock\.sqlite|-wal$|-shm$/

buildProgram()
const home = mkdtempSync(join(tmpdir(), 'folder-'))
const server = await startServer({ DATA_DIR: home })
const expected = await fill(server.url, agentOf(home))
await server.end('SIGTERM')
mkdirSync(target, { recursive: true })
cpSync(home, join(target, 'data'), {
  recursive: true,
  filter: (path) => !passing.test(basename(path)),
})
forgetPlace(join(target, 'data'))
writeFileSync(join(target, 'expected.json'), `${JSON.stringify(expected, undefined, 2)}\n`)
rmSync(home, { recursive: true })

async function fill(url: string, agent: PrivateKeyAccount): Promise<ExpectedFolder> {
  const client = createClient({ url })
  const [guest, buyer] = [publicAccount(1), publicAccount(2)]
  const body = JSON.stringify({ data: { text: 'small' }, metadata: { category: 'research' } })
  const first = await snapshotOnce(url, body)
  const noise = { data: { noise: randomBytes(120_000).toString('base64') } }
  const large = await client.snapshot({ ...noise, metadata: { category: 'gaming' } })
  const wallet = await openWallet({ url, account: guest })
  const own = await wallet.snapshot({
    data: { text: 'sealed for a wallet' },
    metadata: { category: 'support' },
    card: { title: 'A sealed memory', tags: ['fixture'] },
  })
  const sold = await wallet.snapshot({ data: { text: 'sold' }, metadata: { category: 'support' } })
  const offer = { price: 70n, rentalPricePerDay: 3n, forkPrice: 5n, forkRoyaltyBps: 500 }
  await wallet.list({ tokenId: sold.tokenId, ...offer })
  const other = await openWallet({ url, account: buyer })
  await other.rent(sold.tokenId, { durationDays: 365 })
  const fork = await other.fork(sold.tokenId)
  await other.buy(sold.tokenId)
  await other.royalty(fork.tokenId, { amount: 9n })
  await client.list({ tokenId: large.tokenId, ...offer })
  const none = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 250 }
  const dollars = { price: 5_000_000n, rentalPricePerDay: 1_000_000n, forkPrice: 0n }
  await wallet.list({ tokenId: own.tokenId, ...none, dollars })
  await readUntil(client, own.tokenId, 'dollar-listing')
  const owners: readonly (readonly [string, number | undefined])[] = [
    [first.tokenId, undefined],
    [large.tokenId, undefined],
    [own.tokenId, 1],
    [sold.tokenId, 2],
    [fork.tokenId, 2],
  ]
  const memories: ExpectedMemory[] = []
  for (const [tokenId, owner] of owners)
    memories.push(await describe(url, { agent, tokenId, owner }))
  const { registry, marketplace, forwarder } = await client.deployment()
  return {
    deployment: { registry, marketplace, forwarder: `${forwarder}` },
    memories,
    repeated: { key: 'the-first', body, txHash: first.txHash },
  }
}

async function snapshotOnce(url: string, body: string): Promise<Snapshot> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': '"the-first"' }
  const path = `${url}/api/memory/snapshot`
  return (await (await fetch(path, { method: 'POST', headers, body })).json()) as Snapshot
}

type Token = {
  readonly agent: PrivateKeyAccount
  readonly tokenId: string
  readonly owner: number | undefined
}

async function describe(url: string, { agent, tokenId, owner }: Token): Promise<ExpectedMemory> {
  const account = owner === undefined ? agent : publicAccount(owner)
  const client = createClient({ url, account })
  const { document } = await client.download(tokenId)
  const { creator, contentHash, storageUri } = await client.info(tokenId)
  return {
    tokenId,
    creator,
    contentHash,
    storageUri,
    ...(owner === undefined ? {} : { owner }),
    document: createHash('sha256').update(document).digest('hex'),
    listing: await client.listing(tokenId),
    history: (await client.history(tokenId, { limit: 100 })).items.map(({ kind }) => kind),
  }
}

/** Reads the history of a token until the catalogue has an event of the wallet that acted last. */
async function readUntil(client: Client, tokenId: string, kind: string): Promise<void> {
  for (;;) {
    const { items } = await client.history(tokenId, { limit: 100 })
    if (items.some((it) => it.kind === kind)) return
    await setImmediate()
  }
}

/** Lets a folder open at any place: as a copy of one that is gone. */
function forgetPlace(folder: string): void {
  const record = readInstallation(folder)
  if (record === undefined) return
  const { place: _, ...rest } = record
  writeInstallation(folder, rest)
}
