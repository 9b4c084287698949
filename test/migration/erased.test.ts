import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '../harness/chain/anvil.ts'
import { eraserAt } from '../harness/eraser.ts'
import { buildNewServer, migrate } from '../harness/migration/new-server.ts'
import { agentOf, downloadAs, hostServer, post } from '../harness/process/server.ts'

type Reply = { readonly tokenId: string; readonly code?: string }

async function send(url: string, path: string, body: object): Promise<Reply> {
  const reply = await post(url, path, JSON.stringify(body))
  expect(reply.ok).toBe(true)
  return (await reply.json()) as Reply
}

/** Saves the next version of `ada`. */
const save = (url: string, version: number) =>
  send(url, '/api/memory/snapshot', {
    data: { version },
    metadata: { category: 'research' },
    name: 'ada',
  })

test('a migration carries over no memory that was erased on either server, and says what stays', async () => {
  const home = mkdtempSync(join(tmpdir(), 'migrate-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const anvil = await startAnvil({ chainId: 8453 })
  onTestFinished(anvil.stop)
  const target = await buildNewServer(anvil, home)
  const from = join(home, 'old')
  const old = await hostServer({ DATA_DIR: from })
  const ids: string[] = []
  for (const version of [1, 2, 3]) ids.push((await save(old.url, version)).tokenId)
  await send(old.url, `/api/memory/${ids[1]}/erase`, {})
  await old.end()

  const run = async () => JSON.parse((await migrate({ from, to: target }, '--yes', '--json')).out)
  const first = await run()
  expect(first).toMatchObject({
    staying: [
      { tokenId: ids[1], reason: 'unreadable' },
      { tokenId: ids[2], reason: 'parent-stays' },
    ],
    moved: [{ from: ids[0], to: '1' }],
    names: [{ name: 'ada', versions: 3, carried: 1 }],
  })

  const maker = agentOf(from)
  const there = await hostServer(target.env)
  expect((await downloadAs(maker, there.url, '1')).status).toBe(200)
  expect(await (await eraserAt(there.url)).erase(maker, '1')).toMatchObject({ status: 200 })
  await there.end()
  expect(await run()).toMatchObject({ moved: first.moved, staying: first.staying, open: 0 })
  const again = await hostServer(target.env)
  expect((await downloadAs(maker, again.url, '1')).status).toBe(410)
  await again.end()
})
