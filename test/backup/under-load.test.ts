import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  emptyFolder,
  folderWithKeys,
  memoryBody,
  snapshot,
  startLoad,
} from '../harness/backup/installation.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import {
  agentOf,
  downloadAs,
  type HostedServer,
  hostServer,
  startServer,
} from '../harness/process/server.ts'

/** Starts a server whose process is killed. */
async function startDoomed(parent: string) {
  const folder = join(parent, 'original')
  const server = await startServer({ DATA_DIR: folder })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return { folder, server }
}

async function startOriginal(parent: string) {
  const folder = join(parent, 'original')
  return { folder, server: await startIn(folder) }
}

async function startIn(folder: string): Promise<HostedServer> {
  const server = await hostServer({ DATA_DIR: folder })
  onTestFinished(async () => void (await server.end()))
  return server
}

/** Returns every file below a folder. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name))

describe('a backup while a server writes', () => {
  test('restores each write that was acknowledged before it, done once, and no torn one', async () => {
    const parent = emptyFolder('backup')
    const { folder, server } = await startDoomed(parent)
    const place = join(parent, 'place')
    const load = startLoad(server)
    let before: readonly { readonly key: string }[] = []
    for (let run = 0; run < 4; run += 1) {
      const goal = before.length + 4
      await expect.poll(() => load.acknowledged.length).toBeGreaterThan(goal)
      before = [...load.acknowledged]
      const saved = await heirloom({ DATA_DIR: folder }, 'backup', place)
      expect(saved).toMatchObject({ code: 0, errors: '' })
    }
    await load.stop()
    expect(before.length).toBeGreaterThan(8)
    await server.end('SIGKILL')

    const copy = folderWithKeys(parent, folder)
    const words = ['restore', place, '--into', copy, '--verify', '--as-writer', '--json']
    const restored = await heirloom({}, ...words)
    expect(restored).toMatchObject({ code: 0, errors: '' })
    const { memories, isWriter } = JSON.parse(restored.output)
    expect(memories).toMatchObject({ failed: [], foreign: [], opened: memories.tokens })
    expect(memories.tokens).toBeGreaterThanOrEqual(before.length)
    expect(isWriter).toBe(true)

    const again = await startIn(copy)
    for (const write of load.acknowledged.filter((it) => before.includes(it))) {
      const answer = await snapshot(
        again,
        write.key,
        JSON.parse(write.body).data.thought.split(' ')[1],
      )
      expect(answer.tokenId).toBe(write.tokenId)
      const body = await (await downloadAs(agentOf(copy), again.url, write.tokenId)).text()
      expect(body).toBe(write.body)
    }
    expect(await (await fetch(`${again.url}/readyz`)).json()).toMatchObject({ status: 'ok' })
  })

  test('holds no master key and no key of the wallet, and nobody else may read it', async () => {
    const parent = emptyFolder('backup')
    const { folder, server } = await startOriginal(parent)
    await snapshot(server, 'one')
    const place = join(parent, 'place')
    const { output } = await heirloom({ DATA_DIR: folder }, 'backup', place)
    for (const name of ['master.keys', 'agent.key']) expect(output).toContain(join(folder, name))
    const secrets = ['master.keys', 'agent.key'].flatMap((name) => {
      const hex = readFileSync(join(folder, name), 'utf8').trim().replace(/^0x/, '')
      return [Buffer.from(hex), Buffer.from(hex, 'hex')]
    })
    for (const path of filesIn(place)) {
      const bytes = readFileSync(path)
      expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([])
      expect([path, statSync(path).mode & 0o077]).toEqual([path, 0])
    }
  })

  test('sends only what is new', async () => {
    const parent = emptyFolder('backup')
    const { folder, server } = await startOriginal(parent)
    const place = join(parent, 'place')
    for (let at = 0; at < 30; at += 1) await snapshot(server, `first-${at}`)
    const save = async () =>
      JSON.parse((await heirloom({ DATA_DIR: folder }, 'backup', place, '--json')).output)
    expect((await save()).added.blocks).toBeGreaterThanOrEqual(30)
    const blocks = filesIn(join(place, 'blocks')).map((path) => [path, statSync(path).mtimeMs])
    expect((await save()).added.blocks).toBe(0)
    await snapshot(server, 'another')
    const { added, manifest } = await save()
    expect(added.blocks).toBeGreaterThan(0)
    expect(added.blocks).toBeLessThan(4)
    const unchanged = blocks.filter(([path, at]) => statSync(`${path}`).mtimeMs === at)
    expect(unchanged).toEqual(blocks)
    expect(filesIn(join(place, 'chunks')).length).toBe(
      new Set(manifest.files.flatMap((it: { chunks: readonly string[] }) => it.chunks)).size,
    )
  })

  test('saves the blocks that the server moved into one file, and keeps their names', async () => {
    const parent = emptyFolder('backup')
    const { folder, server } = await startOriginal(parent)
    const place = join(parent, 'place')
    const isMoved = () => existsSync(join(folder, 'blobs/compacted.sqlite'))
    let made = 0
    while (!isMoved() && made < 500) {
      const keys = Array.from({ length: 16 }, (_, index) => `key-${made + index}`)
      await Promise.all(keys.map((key) => snapshot(server, key)))
      made += keys.length
    }
    expect(isMoved()).toBe(true)
    const saved = await heirloom({ DATA_DIR: folder }, 'backup', place)
    expect(saved).toMatchObject({ code: 0, errors: '' })
    await server.end()
    expect(filesIn(join(folder, 'blobs/blocks')).length).toBeLessThan(made)
    const copy = folderWithKeys(parent, folder)
    const { output } = await heirloom({}, 'restore', place, '--into', copy, '--verify')
    expect(output).toContain(`${made} of ${made} memories open.`)
    const again = await heirloom({ DATA_DIR: folder }, 'backup', place, '--json')
    expect(JSON.parse(again.output).added.blocks).toBe(0)
  })

  test('goes on when the server was stopped, or killed', async () => {
    const parent = emptyFolder('backup')
    const { folder, server } = await startDoomed(parent)
    await snapshot(server, 'one')
    await server.end('SIGKILL')
    const place = join(parent, 'place')
    expect(await heirloom({ DATA_DIR: folder }, 'backup', place)).toMatchObject({ code: 0 })
    const copy = folderWithKeys(parent, folder)
    const { output } = await heirloom({}, 'restore', place, '--into', copy, '--verify')
    expect(output).toContain('1 of 1 memories open.')
  })
})

describe('a place of backups', () => {
  test('takes one installation only', async () => {
    const parent = emptyFolder('backup')
    const place = join(parent, 'place')
    const { folder, server } = await startOriginal(parent)
    await heirloom({ DATA_DIR: folder }, 'backup', place)
    await server.end()
    const other = await hostServer({ DATA_DIR: join(parent, 'other') })
    await other.end()
    const refused = await heirloom({ DATA_DIR: join(parent, 'other') }, 'backup', place)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.errors).toContain('another installation')
  })

  test.each(['original', 'original/inside', '.'])(
    'is apart from the data folder: %s',
    async (at) => {
      const parent = emptyFolder('backup')
      const { folder } = await startOriginal(parent)
      const refused = await heirloom({ DATA_DIR: folder }, 'backup', join(parent, at))
      expect(refused).toMatchObject({ code: 2 })
      expect(refused.errors).toContain('must be apart')
    },
  )

  test('keeps a block that the disk has damaged since, and names it', async () => {
    const parent = emptyFolder('backup')
    const { folder, server } = await startOriginal(parent)
    await snapshot(server, 'one')
    const place = join(parent, 'place')
    await heirloom({ DATA_DIR: folder }, 'backup', place)
    const [block = ''] = filesIn(join(folder, 'blobs/blocks'))
    writeFileSync(block, readFileSync(block).subarray(1))
    const damaged = await heirloom({ DATA_DIR: folder }, 'backup', place)
    expect(damaged).toMatchObject({ code: 1 })
    expect(damaged.output).toContain(block.slice(-64))
    rmSync(block)
    const lost = await heirloom({ DATA_DIR: folder }, 'backup', place)
    expect(lost).toMatchObject({ code: 0 })
    const copy = folderWithKeys(parent, folder)
    const { output } = await heirloom({}, 'restore', place, '--into', copy, '--verify')
    expect(output).toContain('1 of 1 memories open.')
    expect(memoryBody('one short')).toContain('one')
  })
})
