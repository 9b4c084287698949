import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@heirloom/http/client'
import { openWallet, type Wallet } from '@heirloom/http/wallet'
import { wallets } from '@heirloom/testkit'
import type { Hex, LocalAccount } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { depositText } from '../../packages/http/src/api/signed-texts.ts'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { buildNewServer } from '../harness/migration/new-server.ts'
import { startLoggedServer } from '../harness/observability/logged-server.ts'
import { freePort } from '../harness/process/free-port.ts'
import { hostServer, post } from '../harness/process/server.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const [, owner, reader] = wallets as readonly LocalAccount[] as [never, LocalAccount, LocalAccount]
const postgres = sharedPostgres()
type Granted = Awaited<ReturnType<Wallet['grant']>>

const metadata = { category: 'research' }

/** Returns an empty folder, and settings of a server that has one address at each start. */
async function newPlace() {
  const home = mkdtempSync(join(tmpdir(), 'heirloom-grants-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const port = await freePort()
  return { home, url: `http://127.0.0.1:${port}`, env: { PORT: `${port}`, LOG_LEVEL: 'warn' } }
}

const ownerOf = (url: string) => createClient({ url, account: owner, retries: 0 })
const readerOf = (url: string) => createClient({ url, account: reader, retries: 0 })

/** Saves the first version of a name, and lets the reader save to it. Returns the grants. */
async function grantName(url: string, labels: readonly string[], rpcUrl?: string) {
  await ownerOf(url)
    .memory('ada')
    .save({ data: { text: 'one' }, metadata })
  const wallet = await openWallet({ url, account: owner, rpcUrl })
  const terms = { name: 'ada', reader: reader.address, rights: 'read and save' } as const
  const expires = Math.floor(Date.now() / 1000) + 86_400
  const granted: Granted[] = []
  for (const label of labels) granted.push(await wallet.grant({ ...terms, expires, label }))
  return granted
}

const logOf = async (url: string) =>
  (await ownerOf(url).memory('ada').log()).items.map(({ tokenId, savedBy }) => [tokenId, savedBy])

test.each([
  ['is one of the owner and no version where its grant was revoked before', true],
  ['is a version where its grant still counts', false],
])('a token whose server was killed before its receipt %s', async (_, isRevoked) => {
  const { home, url, env: place } = await newPlace()
  const anvil = await startAnvil()
  onTestFinished(anvil.stop)
  const chain = testClient(anvil)
  const { env } = await buildNewServer(anvil, home, place)
  const first = await startLoggedServer(env)
  const [{ id } = { id: '0x' as Hex }] = await grantName(url, ['helper'], anvil.url.href)
  await chain.setAutomine(false)
  const saving = readerOf(url)
    .granted(id)
    .save({ data: { text: 'two' }, metadata })
  saving.catch(() => undefined)
  await expect.poll(async () => (await chain.getTxpoolStatus()).pending).toBe(1)
  if (isRevoked) await ownerOf(url).revokeGrant(id)
  await first.end('SIGKILL')
  await expect(saving).rejects.toBeDefined()
  await chain.mine({ blocks: 1 })
  await chain.setAutomine(true)

  const { lines } = await startLoggedServer(env)
  const saved = [['2', reader.address]]
  const before = [['1', owner.address]]
  // Until the lane has read the receipt, the name is held.
  await ownerOf(url).memory('ben').save({ data: {}, metadata })
  await expect.poll(() => logOf(url)).toEqual(isRevoked ? before : [...saved, ...before])
  const next = await ownerOf(url)
    .memory('ada', { seen: 'last' })
    .save({ data: { text: 'three' }, metadata })
  const { parent } = await ownerOf(url).info(next.tokenId)
  expect([next.version, parent]).toEqual(isRevoked ? [2, '1'] : [3, '2'])
  const refused = { code: 'grant/ended', tokenId: '2' }
  expect(lines().filter(({ code }) => code === 'grant/ended')).toEqual(
    isRevoked ? [expect.objectContaining(refused)] : [],
  )
  const opened = await ownerOf(url).download('2')
  expect(opened.data).toEqual({ text: 'two' })
})

test('a server on a restored database admits nobody by a grant until its owner signs that again', async () => {
  const { home, url, env: place } = await newPlace()
  await postgres.run('CREATE DATABASE server_grants')
  const open = async (database: string) => {
    const { href } = new URL(`/${database}`, postgres.url)
    const server = await hostServer({ ...place, DATA_DIR: home, DATABASE_URL: href })
    let ended: Promise<number> | undefined
    const end = () => {
      ended ??= server.end()
      return ended
    }
    onTestFinished(async () => void (await end()))
    return end
  }
  const reads = (id: Hex) =>
    readerOf(url)
      .granted(id)
      .download('1')
      .then(
        () => 'read',
        ({ code }) => code,
      )
  const endFirst = await open('server_grants')
  const granted = await grantName(url, ['live', 'revoked'])
  const [live, revoked] = granted.map((it) => it.id) as [Hex, Hex]
  await endFirst()
  await postgres.run('CREATE DATABASE server_grants_backup TEMPLATE server_grants')
  const endSecond = await open('server_grants')
  await ownerOf(url).revokeGrant(revoked)
  expect([await reads(live), await reads(revoked)]).toEqual(['read', 'access/denied'])
  await endSecond()

  await open('server_grants_backup')
  expect([await reads(live), await reads(revoked)]).toEqual(['access/denied', 'access/denied'])
  expect((await ownerOf(url).grants()).items).toEqual([])
  expect(await depositAgain(url, granted[0] as Granted)).toBe(201)
  expect([await reads(live), await reads(revoked)]).toEqual(['read', 'access/denied'])
})

/** Brings a grant again, with one new signature of its owner. Returns the status of the answer. */
async function depositAgain(origin: string, { id, deposit }: Granted): Promise<number> {
  const { chainId } = await ownerOf(origin).deployment()
  const given = JSON.parse(deposit)
  const timestamp = Math.floor(Date.now() / 1000)
  const claim = { grant: id, owner: owner.address, label: given.label, timestamp }
  const signature = await owner.signMessage({ message: depositText({ origin, chainId }, claim) })
  const body = JSON.stringify({ ...given, proof: { origin, timestamp, signature } })
  return (await post(origin, '/api/grants', body)).status
}
