import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readHeader } from '@heirloom/adapters/cipher'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  agentOf,
  downloadAs,
  type Environment,
  type RunningServer,
  type Snapshot,
  serverProgram,
  startServer,
} from '../harness/process/server.ts'
import { earlierProgram, programNames } from '../harness/upgrade/earlier-programs.ts'

/** Returns the settings of a new installation with API keys, which tests may leave out. */
function newInstallation() {
  const home = mkdtempSync(join(tmpdir(), 'downgrade-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return { DATA_DIR: join(home, 'data'), API_KEYS_FILE: join(home, 'keys.json') }
}

/** Returns an installation whose contracts a program deployed: an earlier one knows no later ones. */
async function installedBy(program: string) {
  const env = newInstallation()
  await whileServing({ DATA_DIR: env.DATA_DIR }, program, async () => undefined)
  return env
}

/** Runs a command of this code and returns what it printed. */
async function heirloom(env: Environment, ...words: readonly string[]): Promise<string> {
  const options = { env: { ...env, PATH: process.env.PATH } }
  const { stdout } = await promisify(execFile)(process.execPath, [serverProgram, ...words], options)
  return stdout.trim()
}

/** Starts a server, lets an act use it, and stops it. */
async function whileServing<T>(
  env: Environment,
  program: string,
  act: (url: string) => Promise<T>,
): Promise<T> {
  const server: RunningServer = await startServer(env, program)
  try {
    return await act(server.url)
  } finally {
    await server.end('SIGTERM')
  }
}

async function snapshot(url: string, text: string, apiKey = ''): Promise<Snapshot> {
  const reply = await fetch(`${url}/api/memory/snapshot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: bodyOf(text),
  })
  expect(reply.status).toBe(201)
  return (await reply.json()) as Snapshot
}

const bodyOf = (text: string) => JSON.stringify({ data: { text }, metadata: { category: 'any' } })

/** Returns the tokens that do not download to what was written, of those with the texts. */
async function findUnreadable(url: string, folder: string, texts: ReadonlyMap<string, string>) {
  const wallet = agentOf(folder)
  const unreadable: string[] = []
  for (const [tokenId, text] of texts) {
    const reply = await downloadAs(wallet, url, tokenId)
    if ((await reply.text()) !== bodyOf(text)) unreadable.push(tokenId)
  }
  return unreadable
}

const readiness = async (url: string) => {
  const reply = await fetch(`${url}/readyz`)
  const { code } = (await reply.json()) as { code?: string }
  return [reply.status, code]
}

/** As many small blocks as are moved into one file at once. */
const moved = 256

/** The length of the longest block that is moved, in bytes. */
const smallLength = 4096

/**
 * Returns a text that is short or, every second time, too long to be moved: 0.2.0 refuses a folder in
 * which it finds none of the memories that it looks for.
 */
const memory = (at: number) => `memory ${at}`.padEnd(at % 2 === 0 ? 0 : smallLength + 1, '.')

describe.each(programNames)('a data folder of this code under %s', (name) => {
  const earlier = earlierProgram(name)

  test('with compacted blocks is not ready, loses nothing, and is whole after an export', async () => {
    const { DATA_DIR } = await installedBy(earlier)
    // As if the upgrade were a week ago.
    writeFileSync(join(DATA_DIR, 'blobs/moves-from'), '0\n')
    const [env, compacted] = [{ DATA_DIR }, join(DATA_DIR, 'blobs/compacted.sqlite')]
    const texts = new Map<string, string>()
    const write = async (url: string, text: string) =>
      void texts.set((await snapshot(url, text)).tokenId, text)
    await whileServing(env, serverProgram, async (url) => {
      const written = Array.from({ length: moved }, (_, at) => write(url, memory(at)))
      await Promise.all(written)
      await expect.poll(() => existsSync(compacted)).toBe(true)
    })
    await whileServing(env, earlier, async (url) => {
      expect(await readiness(url)).toEqual([503, 'memories/lost'])
      const unreadable = await findUnreadable(url, DATA_DIR, texts)
      expect(unreadable.length).toBeGreaterThan(0)
      await write(url, 'written by the earlier program')
      await write(url, memory(0))
    })
    const all = (url: string) => findUnreadable(url, DATA_DIR, texts)
    expect(await whileServing(env, serverProgram, all)).toEqual([])
    await heirloom(env, 'blocks', 'export', join(DATA_DIR, 'blobs/blocks'))
    renameSync(compacted, `${compacted}.before`)
    await whileServing(env, earlier, async (url) => {
      expect(await readiness(url)).toEqual([200, undefined])
      expect(await all(url)).toEqual([])
    })
    expect(await whileServing(env, serverProgram, all)).toEqual([])
  })

  test('opens there for a week after the upgrade, but for what SEAL_IN_PARTS sealed', async () => {
    const { DATA_DIR } = newInstallation()
    const env = { DATA_DIR }
    const long = () => randomBytes(150_000).toString('base64')
    const [small, whole, inParts] = ['made there', long(), long()]
    const write = (settings: Environment, program: string, text: string) =>
      whileServing(settings, program, async (url) => (await snapshot(url, text)).tokenId)
    const texts = new Map([
      [await write(env, earlier, small), small],
      [await write(env, serverProgram, whole), whole],
      [await write({ ...env, SEAL_IN_PARTS: 'true' }, serverProgram, inParts), inParts],
    ])
    const all = (url: string) => findUnreadable(url, DATA_DIR, texts)
    expect(await whileServing(env, earlier, all)).toEqual([...texts.keys()].slice(2))
    expect(await whileServing(env, serverProgram, all)).toEqual([])
  })

  test('with tenants is refused with their API keys, and keeps their keys without', async () => {
    const env = await installedBy(earlier)
    const { DATA_DIR } = env
    await whileServing({ DATA_DIR }, serverProgram, async () => undefined)
    await heirloom(env, 'tenants', 'add', 'ada')
    const key = await heirloom(env, 'api-key', 'new', 'ada', '--tenant', 'ada')
    const ofTenant = await whileServing(env, serverProgram, (url) => snapshot(url, 'of ada', key))
    await expect(startServer(env, earlier)).rejects.toThrow('/keys/0/tenant is invalid')
    const files = () =>
      ['sealing.keys', 'tenants.keys'].map((it) => readFileSync(join(DATA_DIR, it), 'utf8'))
    const before = files()
    const own = await whileServing({ DATA_DIR }, earlier, (url) => snapshot(url, 'of the server'))
    expect(files()).toEqual(before)
    // Erasing a tenant must not erase what the server wrote.
    expect(sealingKeyOf(DATA_DIR, own)).not.toBe(sealingKeyOf(DATA_DIR, ofTenant))
    const again = await whileServing(env, serverProgram, (url) => snapshot(url, 'of ada too', key))
    expect(sealingKeyOf(DATA_DIR, again)).toBe(sealingKeyOf(DATA_DIR, ofTenant))
  })
})

/** Returns the id of the sealing key of a memory whose block has a file of its own. */
function sealingKeyOf(folder: string, { storageUri }: Snapshot): string {
  const name = `1220${storageUri.slice(-64)}`
  const sealed = readFileSync(join(folder, 'blobs/blocks', name.slice(-2), name))
  return Buffer.from(readHeader(sealed).sealingKeyId).toString('hex')
}
