import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copierAt, pairOf, publicAccount } from '../../../../../test/harness/copier.ts'
import { eraserAt } from '../../../../../test/harness/eraser.ts'
import { freePort } from '../../../../../test/harness/process/free-port.ts'
import { agentOf } from '../../../../../test/harness/process/server.ts'
import { run } from '../../../test/command-harness.ts'
import { startServer } from '../../../test/installation.ts'
import { createClient } from '../../client/client.ts'
import { readConfig } from '../../config/config.ts'
import { serve } from '../../server/serve.ts'
import { openWallet } from '../../wallet/open-wallet.ts'

const [maker, thief] = [publicAccount(1), publicAccount(3)]
const metadata = { category: 'research' }

/** Makes the data folder of a server that is stopped, and reads the logs of its names before that. */
async function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'recover-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const server = await startServer(folder)
  const { url } = server
  const client = createClient({ url })
  const save = (name: string, text: string) =>
    client.memory(name, { seen: 'last' }).save({ data: { text }, metadata, recipient: 'server' })
  const own = await openWallet({ url, account: maker })
  await save('ada', 'one')
  const { tokenId: erased } = await save('ada', 'z'.repeat(200_000))
  await own.snapshot({ data: {}, metadata, name: 'diary', after: '0' })
  const last = await save('ada', `${'z'.repeat(200_000)} and more`)
  await own.snapshot({ data: { mood: 'glad' }, metadata, name: 'diary' })
  const byServer = createClient({ url, account: maker }).memory('diary', { seen: 'last' })
  await byServer.save({ data: { mood: 'keen' }, metadata })
  await save('work/log', 'first')
  await fetch(`${url}/api/names/work%2Flog`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'work/notes' }),
  })
  await save('work/notes', 'second')
  const copies = await copyAll(url, [erased, last.tokenId])
  const eraser = await eraserAt(url)
  const headers = await eraser.headersOf(agentOf(folder), erased)
  expect((await eraser.send(erased, headers)).status).toBe(200)
  const logs = await readLogs(url)
  await server.close()
  return { folder, logs, copies, last: last.tokenId, erased }
}

/** Mints the pairs of tokens again as a stranger, as children of the last of them. */
async function copyAll(url: string, ids: readonly string[]): Promise<readonly string[]> {
  const copier = await copierAt(url, thief)
  const copies: string[] = []
  for (const id of ids) {
    const pair = await pairOf(url, id)
    copies.push(...(await copier.mint(pair, thief.address, BigInt(ids.at(-1) ?? 0))))
    copies.push(...(await copier.mint(pair)))
  }
  return copies
}

/** Reads the logs of the operator, and of the account that mints itself. */
async function readLogs(url: string) {
  const client = createClient({ url })
  const own = await openWallet({ url, account: maker })
  const names = (await client.names()).items.map(({ name }) => name)
  const logs = names.map(async (name) => [name, (await client.memory(name).log()).items] as const)
  const diary = ['diary', (await own.versions('diary')).items] as const
  return [...(await Promise.all(logs)), diary]
}

type Logs = Awaited<ReturnType<typeof readLogs>>

/** Returns logs without what neither the chain nor the bundles say. */
const known = (logs: Logs, erased: string) =>
  logs.map(([name, items]) => [
    name,
    items.map(({ txHash: _, savedAt: _at, storedBytes: _stored, documentBytes, ...version }) => ({
      ...version,
      documentBytes: version.tokenId === erased ? 0 : documentBytes,
    })),
  ])

test('names come back from the chain and the blobs, without the copies of strangers', async () => {
  const { folder, logs, copies, last, erased } = await makeFolder()
  for (const name of ['jobs.sqlite', 'jobs.sqlite-wal', 'jobs.sqlite-shm', 'catalogue.sqlite']) {
    rmSync(join(folder, name), { force: true })
  }
  const recover = async (...words: readonly string[]) => {
    const env = { DATA_DIR: folder }
    const { code, out, err } = await run(['names', 'recover', '--json', ...words], { env })
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out)
  }
  const added = ({ names }: { readonly names: readonly { readonly added: readonly string[] }[] }) =>
    names.flatMap((it) => it.added)
  const dry = await recover('--dry-run')
  expect(existsSync(join(folder, 'jobs.sqlite'))).toBe(false)
  expect([dry.leftOut, dry.erased, dry.unread]).toEqual([[], 1, 0])
  const first = await recover()
  expect(first).toEqual({ ...dry, dryRun: false })
  expect(added(first).filter((id) => copies.includes(id))).toEqual([])
  expect(added(await recover())).toEqual([])
  const server = await startServer(folder)
  onTestFinished(server.close)
  const recovered = await readLogs(server.url)
  // The text that a name had before it was renamed has its versions of then.
  const expected = known(logs, erased)
  expect(known(recovered, erased)).toEqual(expect.arrayContaining(expected))
  expect(recovered).toHaveLength(logs.length + 1)
  const client = createClient({ url: server.url })
  for (const { tokenId, savedAt } of recovered.flatMap(([, items]) => items)) {
    // The time of the block is the one that is known.
    expect(savedAt).toBe(Number((await client.info(tokenId)).timestamp) * 1000)
  }
  const ada = client.memory('ada', { seen: last })
  const next = await ada.save({ data: { text: 'next' }, metadata, recipient: 'server' })
  expect([next.version, (await client.info(next.tokenId)).parent]).toEqual([4, last])
})

test('a granted name comes back with what its readers saved, and its grants end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recover-granted-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const jobs = ['jobs.sqlite', 'jobs.sqlite-wal', 'jobs.sqlite-shm']
  const env = { DATA_DIR: folder, PORT: `${await freePort()}` }
  const start = () => serve(readConfig({ ...env, LOG_LEVEL: 'silent' }))
  const url = `http://127.0.0.1:${env.PORT}`
  const [own, granted] = [maker, thief].map((it) => createClient({ url, account: it, retries: 0 }))
  const saveOwn = (text: string) =>
    own?.memory('shared', { seen: 'last' }).save({ data: { text }, metadata })
  const first = await start()
  await saveOwn('one')
  const wallet = await openWallet({ url, account: maker })
  const expires = Math.floor(Date.now() / 1000) + 86_400
  const terms = { name: 'shared', reader: thief.address, rights: 'read and save', expires } as const
  const { id } = await wallet.grant(terms)
  await first.close()
  const backup = join(folder, 'backup.sqlite')
  cpSync(join(folder, 'jobs.sqlite'), backup)

  const second = await start()
  const { tokenId: theirs } =
    (await granted?.granted(id).save({ data: { text: 'two' }, metadata })) ?? {}
  await second.close()
  for (const name of jobs) rmSync(join(folder, name), { force: true })
  cpSync(backup, join(folder, 'jobs.sqlite'))
  const { code, out } = await run(['names', 'recover'], { env })
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(`Saved by a grant: token ${theirs}. 1 grant ended.`),
  ])

  const third = await start()
  onTestFinished(third.close)
  const { items } = (await own?.memory('shared').log()) ?? { items: [] }
  expect(items.map(({ tokenId, savedBy }) => [tokenId, savedBy])).toEqual([
    [theirs, thief.address],
    ['1', maker.address],
  ])
  await expect(granted?.granted(id).log()).rejects.toMatchObject({ code: 'access/denied' })
  const refused = granted?.granted(id).save({ data: { text: 'three' }, metadata })
  await expect(refused).rejects.toMatchObject({ code: 'access/denied' })
  expect(await saveOwn('three')).toMatchObject({ version: 3 })
})

test('a running server keeps its names to itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recover-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  onTestFinished((await startServer(folder)).close)
  const { code, err } = await run(['names', 'recover'], { env: { DATA_DIR: folder } })
  expect([code, err]).toEqual([
    1,
    `A server or another command is using ${folder}; stop it, and run this again.\n`,
  ])
})
