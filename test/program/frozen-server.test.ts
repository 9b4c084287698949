import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assertDurable } from '../harness/process/crash-round.ts'
import { post, type Snapshot, startServer } from '../harness/process/server.ts'

const documentOf = (thought: number) =>
  JSON.stringify({ data: { thought }, metadata: { category: 'research' } })

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frozen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Sends snapshots at once; each is acknowledged with 201. */
function snapshots(url: string, thoughts: readonly number[]) {
  return thoughts.map(async (thought) => {
    const document = documentOf(thought)
    const response = await post(url, '/api/memory/snapshot', document)
    expect(response.status).toBe(201)
    return { snapshot: (await response.json()) as Snapshot, document }
  })
}

test('nobody takes the folder of a server that is frozen, which goes on when it wakes', async () => {
  const folder = newFolder()
  const server = await startServer({ DATA_DIR: folder })
  const writes = snapshots(server.url, [1, 2, 3, 4, 5, 6])
  const first = await Promise.any(writes)
  server.process.kill('SIGSTOP')
  await expect(startServer({ DATA_DIR: folder })).rejects.toThrow(/Another server is using/)
  server.process.kill('SIGCONT')
  const acknowledged = await Promise.all(writes)
  expect(acknowledged).toContainEqual(first)
  expect(new Set(acknowledged.map(({ snapshot }) => snapshot.tokenId)).size).toBe(6)
  await assertDurable(server, folder, { acknowledged, blocks: [] })
  expect(await server.end('SIGTERM')).toBe(0)
})

test('a frozen server that is killed leaves its folder to the next, with every write', async () => {
  const folder = newFolder()
  const server = await startServer({ DATA_DIR: folder })
  const acknowledged = await Promise.all(snapshots(server.url, [1, 2, 3]))
  const cut = snapshots(server.url, [4, 5, 6]).map((write) => write.catch(() => undefined))
  server.process.kill('SIGSTOP')
  await server.end('SIGKILL')
  await Promise.all(cut)
  const next = await startServer({ DATA_DIR: folder })
  await assertDurable(next, folder, { acknowledged, blocks: [] })
  expect(await next.end('SIGTERM')).toBe(0)
})
