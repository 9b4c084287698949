import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { walletOf } from '@heirloom/adapters/wallet'
import type { Hex } from '@heirloom/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../../../test/command-harness.ts'
import {
  installation,
  secretsIn,
  startServer,
  useInstallations,
} from '../../../../test/installation.ts'
import { memory, proofOf } from '../../../../test/server-harness.ts'
import { readConfig } from '../../../config/config.ts'
import { serve } from '../../../server/serve.ts'

useInstallations()

const another = 'ab'.repeat(32)

/** Returns functions that run actions on the keys of a folder with two memories. */
function keysOf(folder = installation()) {
  const [agentKey = '', masterKey = ''] = secretsIn(folder)
  const keys = (words: string, env: Readonly<Record<string, string>> = {}) =>
    run(['keys', ...words.split(' ')], { env: { DATA_DIR: folder, ...env } })
  const status = async (env = {}) => JSON.parse((await keys('status --json', env)).out)
  return { folder, agentKey, masterKey, keys, status }
}

/** Starts a server on a folder, and returns functions that snapshot and download. */
async function startClient(folder: string, env = {}) {
  const config = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ...env }
  const server = await serve(readConfig(config))
  onTestFinished(server.close)
  await server.ready
  const wallet = walletOf(secretsIn(folder)[0] as Hex)
  const download = async (id: string) => {
    const headers = await proofOf(wallet as never, id, Math.floor(Date.now() / 1000))
    const reply = await fetch(`${server.url}/api/memory/${id}`, { headers })
    return { status: reply.status, body: await reply.json() }
  }
  const snapshot = async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(memory)
    const reply = await fetch(`${server.url}/api/memory/snapshot`, {
      method: 'POST',
      headers,
      body,
    })
    return reply.status
  }
  return { download, snapshot, server }
}

const fileIn = (folder: string) => readFileSync(join(folder, 'sealing.keys'), 'utf8')

describe('keys status', () => {
  test('lists the keys, their master keys and their numbers of memories', async () => {
    const { keys, status, folder } = keysOf()
    const { code, out, err } = await keys('status')
    expect([code, err]).toEqual([0, ''])
    const [{ id, master }] = (await status()).keys
    expect(out).toContain(`the master key ${master} wraps.`)
    expect(out).toMatch(new RegExp(`${id} +sealing +\\d{4}-\\d\\d-\\d\\d +${master} +2\n`))
    expect(await status()).toMatchObject({
      place: join(folder, 'sealing.keys'),
      masters: [master],
      keys: [{ id, state: 'sealing', tenant: 'default', isOpen: true, memories: 2 }],
      missing: [],
      isCounted: true,
    })
  })

  test('counts no memories while a server runs, and says so', async () => {
    const { keys, folder } = keysOf()
    onTestFinished((await startServer(folder)).close)
    const { code, out } = await keys('status')
    expect([code, out]).toEqual([0, expect.stringContaining('not counted: a server is using')])
  })

  test('names memories whose key is missing, and exits with 1', async () => {
    const { keys, folder, status } = keysOf()
    const [{ id }] = (await status()).keys
    const document = JSON.parse(fileIn(folder))
    await keys('new')
    const [, young] = JSON.parse(fileIn(folder)).records
    const lost = { ...document, epoch: young.epoch, records: [young] }
    writeFileSync(join(folder, 'sealing.keys'), JSON.stringify(lost))
    const { code, out } = await keys('status')
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(
        `2 memories are sealed under the key ${id}, which is missing: tokens 1, 2.`,
      ),
    ])
  })

  test('names the missing master key, and exits with 1', async () => {
    const { keys, status } = keysOf()
    const [{ master }] = (await status()).keys
    const { code, out } = await keys('status', { MASTER_KEYS: another })
    expect([code, out]).toEqual([1, expect.stringContaining(`the others are wrapped by ${master}`)])
  })

  test.each([
    ['chain.sqlite', 'catalogue.sqlite'],
    ['agent.key', 'chain.sqlite'],
    ['blobs', 'chain.sqlite'],
  ])('counts nothing without %s, says why, and exits with 1', async (lost, beside) => {
    const { keys, folder, status } = keysOf()
    const [{ id }] = (await status()).keys
    rmSync(join(folder, lost), { recursive: true })
    const before = fileIn(folder)
    const why = `${join(folder, lost)} is missing, and ${join(folder, beside)} cannot be used`
    const { code, out } = await keys('status')
    expect([code, out]).toEqual([1, expect.stringMatching(new RegExp(`${id} .* \\?\n`))])
    expect(out).toContain(`The memories are not counted: The file ${why}`)
    const result = await status()
    expect(result).toMatchObject({ isCounted: false, uncounted: expect.stringContaining(why) })
    expect(result.keys[0]).not.toHaveProperty('memories')
    for (const option of ['--dry-run', '--yes']) {
      const refused = await keys(`destroy ${id} ${option}`)
      expect([refused.code, refused.out]).toEqual([1, ''])
      expect(refused.err).toContain(why)
    }
    expect(fileIn(folder)).toBe(before)
  })

  test('reports a key file that is missing although there are memories, and exits with 1', async () => {
    const { keys, folder } = keysOf()
    rmSync(join(folder, 'sealing.keys'))
    const { code, out, err } = await keys('status')
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`${join(folder, 'sealing.keys')} is missing, and`)
  })

  test('reports no keys before the first start', async () => {
    const { code, out } = await run(['keys', 'status'], { env: { DATA_DIR: '/nowhere' } })
    expect([code, out]).toEqual([0, expect.stringContaining('no sealing keys yet')])
  })
})

describe('keys new', () => {
  test('creates the key that seals from then on; the earlier one still opens', async () => {
    const { keys, folder, status } = keysOf()
    const before = fileIn(folder)
    expect((await keys('new --dry-run')).out).toContain('Dry run: a new key would seal')
    expect(fileIn(folder)).toBe(before)
    expect((await keys('new')).code).toBe(0)
    const { download, snapshot, server } = await startClient(folder)
    expect((await download('1')).status).toBe(200)
    expect(await snapshot()).toBe(201)
    expect((await download('3')).status).toBe(200)
    await server.close()
    const counts = (await status()).keys.map((it: Record<string, unknown>) => [
      it.state,
      it.memories,
    ])
    expect(counts).toEqual([
      ['opening', 2],
      ['sealing', 1],
    ])
  })
})

describe('keys rotate', () => {
  test('wraps the keys under the first master key; the old one no longer opens them', async () => {
    const { keys, folder, masterKey, status } = keysOf()
    const both = { MASTER_KEYS: `${another},${masterKey}` }
    const before = fileIn(folder)
    expect((await keys('rotate --dry-run', both)).out).toContain('would wrap 1 more sealing keys')
    expect(fileIn(folder)).toBe(before)
    const rotated = await keys('rotate', both)
    expect([rotated.code, rotated.out]).toEqual([0, expect.stringContaining('wraps all 1 sealing')])
    for (const secret of [another, masterKey])
      expect(rotated.out + rotated.err).not.toContain(secret)
    expect((await keys('rotate', both)).out).toContain('already; nothing was changed')
    expect((await status({ MASTER_KEYS: another })).keys).toMatchObject([{ isOpen: true }])
    await expect(startClient(folder)).rejects.toMatchObject({ code: 'keys/unusable' })
    const { download } = await startClient(folder, { MASTER_KEYS: another })
    expect((await download('1')).status).toBe(200)
  })
})

describe('keys destroy', () => {
  test('names the memories that would be lost, and does nothing without confirmation', async () => {
    const { keys, folder, status } = keysOf()
    const [{ id }] = (await status()).keys
    const before = fileIn(folder)
    const dry = await keys(`destroy ${id} --dry-run`)
    expect([dry.code, dry.out]).toEqual([
      0,
      expect.stringContaining(
        `2 memories are sealed under the key ${id} and will be unreadable forever: tokens 1, 2.`,
      ),
    ])
    const refused = await keys(`destroy ${id}`)
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('Pass --yes to confirm'),
    ])
    expect(refused.err).toContain('tokens 1, 2.')
    for (const words of [
      'destroy',
      'destroy all',
      `destroy ${'0'.repeat(32)} --yes`,
      `status ${id}`,
    ]) {
      expect((await keys(words)).code).toBe(2)
    }
    expect(fileIn(folder)).toBe(before)
  })

  test('makes the memories unreadable, even when an older key file is restored', async () => {
    const { keys, folder, status } = keysOf()
    const [{ id }] = (await status()).keys
    const older = installation()
    cpSync(join(folder, 'sealing.keys'), join(older, 'sealing.keys'))
    const destroyed = await keys(`destroy ${id} --yes`)
    expect([destroyed.code, destroyed.out]).toEqual([0, expect.stringContaining('Incomplete.')])
    const closed = {
      status: 500,
      body: expect.objectContaining({
        code: 'bundle/unreadable',
        facts: { problem: `it was sealed under the key ${id}, which was destroyed` },
      }),
    }
    const first = await startClient(folder)
    expect(await first.download('1')).toEqual(closed)
    expect(await first.snapshot()).toBe(201)
    expect((await first.download('3')).status).toBe(200)
    expect((await fetch(`${first.server.url}/readyz`)).status).toBe(200)
    await first.server.close()
    cpSync(join(older, 'sealing.keys'), join(folder, 'sealing.keys'))
    const { download } = await startClient(folder)
    expect(await download('1')).toEqual(closed)
  })

  test('is complete only after its master keys were rotated and confirmed to be gone', async () => {
    const { keys, folder, masterKey, status } = keysOf()
    const [{ id, master }] = (await status()).keys
    const gone = `destroy ${id} --old-masters-gone`
    expect((await keys(gone)).err).toContain('destroy it first')
    await keys(`destroy ${id} --yes`)
    const warning = `incomplete until the master keys that wrapped it are gone, with all backups: ${master}.`
    expect((await keys('status')).out).toContain(warning)
    expect((await keys(gone)).err).toContain(
      `The master key ${master} wrapped it and is still in use`,
    )
    const both = { MASTER_KEYS: `${another},${masterKey}` }
    await keys('rotate', both)
    expect((await keys(gone, both)).code).toBe(2)
    const alone = { MASTER_KEYS: another }
    const before = fileIn(folder)
    expect((await keys(`${gone} --dry-run`, alone)).code).toBe(0)
    expect(fileIn(folder)).toBe(before)
    expect((await keys(gone, alone)).out).toContain('is complete, provided that')
    expect((await keys('status', alone)).out).not.toContain('incomplete')
  })

  test('is refused while a server uses the folder', async () => {
    const { keys, folder, status } = keysOf()
    const [{ id }] = (await status()).keys
    onTestFinished((await startServer(folder)).close)
    for (const words of [`destroy ${id} --yes`, 'new', 'rotate']) {
      const { code, err } = await keys(words)
      expect([code, err]).toEqual([
        1,
        expect.stringContaining('A server or another command is using'),
      ])
    }
  })
})
