import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { recordPlace } from '../../packages/http/src/server/folder-place.ts'
import { emptyFolder, folderWithKeys, snapshot } from '../harness/backup/installation.ts'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import { hostServer } from '../harness/process/server.ts'

type Settings = Readonly<Record<string, string>>

/** Starts an installation with one memory and its backup, and a restored copy that may not write. */
async function restoreBesideOriginal(settings: Settings = {}) {
  const parent = emptyFolder('writers')
  const folder = join(parent, 'original')
  const original = await hostServer({ ...settings, DATA_DIR: folder })
  onTestFinished(async () => void (await original.end()))
  await snapshot(original, 'one')
  const place = join(parent, 'place')
  expect(await heirloom({ ...settings, DATA_DIR: folder }, 'backup', place)).toMatchObject({
    code: 0,
  })
  const copy =
    settings.AGENT_PRIVATE_KEY === undefined ? folderWithKeys(parent, folder) : join(parent, 'copy')
  const restore = (...words: readonly string[]) =>
    heirloom(settings, 'restore', place, '--into', copy, ...words)
  expect(await restore()).toMatchObject({ code: 0, errors: '' })
  return { parent, folder, original, place, copy, restore }
}

const start = (settings: Settings, folder: string) =>
  hostServer({ ...settings, DATA_DIR: folder }).then(
    async (server) => {
      await server.end()
      return 'started'
    },
    (error: Error) => error.message,
  )

describe('a restored copy and its original', () => {
  test('never write at the same time', async () => {
    const { folder, original, copy, restore } = await restoreBesideOriginal()
    expect(await start({}, copy)).toContain('only one of the two may write')
    const early = await restore('--as-writer')
    expect(early.code).toBe(1)
    expect(early.errors).toContain(`Another server is using ${folder}`)
    expect(await start({}, copy)).toContain('only one of the two may write')
    await snapshot(original, 'two')
    await original.end()
    expect(await restore('--as-writer')).toMatchObject({ code: 0, errors: '' })
    expect(await start({}, folder)).toContain('two copies must never write')
    expect(await start({}, copy)).toBe('started')
  })

  test('never save to the same place: an original elsewhere learns that it was replaced', async () => {
    const { parent, folder, original, place, copy, restore } = await restoreBesideOriginal()
    await original.end()
    // What only this copy of it knows is what another machine would know.
    const elsewhere = join(parent, 'elsewhere')
    cpSync(folder, elsewhere, { recursive: true })
    recordPlace(elsewhere)
    expect(await restore('--as-writer')).toMatchObject({ code: 0 })
    const refused = await heirloom({ DATA_DIR: elsewhere }, 'backup', place)
    expect(refused.errors).toContain('A restored copy of this installation writes to')
    expect(await start({}, elsewhere)).toContain('two copies must never write')
    expect(await heirloom({ DATA_DIR: copy }, 'backup', place)).toMatchObject({ code: 0 })
  })

  test('are told apart when one backup is restored twice', async () => {
    const { parent, folder, original, place, restore } = await restoreBesideOriginal()
    const second = folderWithKeys(parent, folder, 'second')
    const restoreSecond = (...words: readonly string[]) =>
      heirloom({}, 'restore', place, '--into', second, ...words)
    expect(await restoreSecond()).toMatchObject({ code: 0 })
    await original.end()
    expect(await restore('--as-writer')).toMatchObject({ code: 0 })
    const late = await restoreSecond('--as-writer')
    expect(late.code).not.toBe(0)
    expect(late.errors).toContain('A restored copy of this installation writes to')
    expect(await start({}, second)).toContain('only one of the two may write')
  })

  test('send no write twice on a public chain', async () => {
    const anvil = await startAnvil()
    onTestFinished(() => anvil.stop())
    const key = generatePrivateKey()
    const wallet = privateKeyToAccount(key)
    await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
    const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
    const settings = {
      RPC_URL: anvil.url.href,
      REGISTRY_ADDRESS: registry,
      MARKETPLACE_ADDRESS: marketplace,
      AGENT_PRIVATE_KEY: key,
      MASTER_KEYS: 'ab'.repeat(32),
    }
    const parent = emptyFolder('writers')
    const folder = join(parent, 'original')
    const original = await hostServer({ ...settings, DATA_DIR: folder })
    onTestFinished(async () => void (await original.end()))
    const first = await snapshot(original, 'one')
    // A write is on its way at the moment of the backup, and the original carries it out afterwards.
    await testClient(anvil).setAutomine(false)
    const second = snapshot(original, 'two')
    second.catch(() => undefined)
    await expect.poll(async () => (await anvilPending(anvil.url)).length).toBeGreaterThan(0)
    const place = join(parent, 'place')
    const saved = await heirloom({ ...settings, DATA_DIR: folder }, 'backup', place)
    expect(saved).toMatchObject({ code: 0 })
    await testClient(anvil).setAutomine(true)
    await testClient(anvil).mine({ blocks: 1 })
    const { tokenId } = await second
    await original.end()
    const copy = join(parent, 'copy')
    const words = ['restore', place, '--into', copy, '--verify', '--as-writer']
    const restored = await heirloom(settings, ...words)
    expect(restored).toMatchObject({ errors: '' })
    expect(restored.output).toContain('Writes that had not ended: 1.')
    const server = await hostServer({ ...settings, DATA_DIR: copy })
    onTestFinished(async () => void (await server.end()))
    expect(await snapshot(server, 'one')).toEqual(first)
    await expect(snapshot(server, 'two')).rejects.toThrow('transaction/unknown')
    const third = await snapshot(server, 'three')
    expect([first.tokenId, tokenId, third.tokenId]).toEqual(['1', '2', '3'])
    expect(readFileSync(join(copy, 'installation.json'), 'utf8')).toContain('"writer"')
  })
})

type Pool = { readonly result: { readonly pending: Readonly<Record<string, object>> } }

async function anvilPending(url: URL): Promise<readonly string[]> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'txpool_content', params: [] })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const { result } = (await response.json()) as Pool
  return Object.values(result.pending).flatMap((it) => Object.keys(it))
}
