import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readHeader } from '@heirloom/adapters/cipher'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { blocksIn } from '../../../../test/installation.ts'
import { type TenantHouse, tenantHouse } from '../../../../test/tenant-house.ts'

type Key = {
  readonly id: string
  readonly tenant: string
  readonly state: string
  readonly memories: number
}

const statusOf = async ({ command }: TenantHouse): Promise<readonly Key[]> =>
  JSON.parse((await command('keys status --json')).out).keys

const listOf = async ({ command }: TenantHouse) =>
  JSON.parse((await command('tenants list --json')).out).tenants

/** Makes a memory of each tenant and of the server, and stops the server. */
async function withMemories() {
  const { house, keys } = await tenantHouse('ada', 'ben')
  const server = await house.open()
  const ids: Record<string, string> = {}
  for (const name of ['own', 'ada', 'ben']) ids[name] = await server.snapshot(keys[name] ?? '')
  await server.close()
  return { house, keys, ids }
}

describe('heirloom tenants add', () => {
  test('makes a wallet whose key no output and no file has in clear', async () => {
    const { house } = await tenantHouse()
    const { code, out, err } = await house.command('tenants add ada --per-call 0.5ether --json')
    expect([code, err]).toEqual([0, ''])
    const { address } = await house.walletOf('ada')
    expect(JSON.parse(out)).toEqual({ dryRun: false, name: 'ada', address })
    expect(await listOf(house)).toEqual([
      expect.objectContaining({
        name: 'ada',
        address,
        state: 'active',
        maxSpendPerCall: '500000000000000000',
        maxSpendPerDay: null,
      }),
    ])
    expect(statSync(join(house.folder, 'tenants.keys')).mode & 0o777).toBe(0o600)
  })

  test('takes each name once, and changes nothing in a dry run', async () => {
    const { house } = await tenantHouse('ada')
    const again = await house.command('tenants add ada')
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('already')])
    for (const name of ['Ada', 'default', 'a/b', '-']) {
      expect((await house.command(`tenants add ${name}`)).code).toBe(2)
    }
    expect((await house.command('tenants add ben --dry-run')).code).toBe(0)
    expect(await listOf(house)).toHaveLength(1)
  })

  test('needs the data folder of a server that is stopped', async () => {
    const { house } = await tenantHouse('ada')
    const server = await house.open()
    const { code, err } = await house.command('tenants add ben')
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('A server or another command is using'),
    ])
    expect((await house.command('tenants list')).code).toBe(0)
    await server.close()
  })
})

describe('the memories of a tenant', () => {
  test('are sealed under a key of its own', async () => {
    const { house } = await withMemories()
    const status = await statusOf(house)
    expect(status.map(({ tenant, memories }) => [tenant, memories])).toEqual([
      ['default', 1],
      ['ada', 1],
      ['ben', 1],
    ])
    expect((await house.command('keys status')).out).toMatch(/MEMORIES +TENANT/)
    const used = blocksIn(house.folder).flatMap((path) => {
      try {
        return [Buffer.from(readHeader(readFileSync(path)).sealingKeyId).toString('hex')]
      } catch {
        return []
      }
    })
    if (used.length > 0) expect(new Set(used)).toEqual(new Set(status.map(({ id }) => id)))
  })
})

describe('heirloom tenants remove', () => {
  test('says what it would close, and changes nothing in a dry run', async () => {
    const { house, ids } = await withMemories()
    const before = readFileSync(join(house.folder, 'sealing.keys'), 'utf8')
    const { code, out } = await house.command('tenants remove ada --dry-run --json')
    expect(code).toBe(0)
    const { address } = await house.walletOf('ada')
    expect(JSON.parse(out)).toMatchObject({ name: 'ada', address, tokens: [ids.ada] })
    expect(JSON.parse(out).left).toMatchObject({ tokens: '1', credit: '0' })
    expect(readFileSync(join(house.folder, 'sealing.keys'), 'utf8')).toBe(before)
    const unasked = await house.command('tenants remove ada')
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining('--yes')])
    expect((await listOf(house))[0].state).toBe('active')
  })

  test('closes the memories of the tenant for ever, and those of no other', async () => {
    const { house, keys, ids } = await withMemories()
    const wallet = await house.walletOf('ada')
    const { code, out } = await house.command('tenants remove ada --yes')
    expect(code).toBe(0)
    expect(out).toContain('Removed the tenant ada: 1 memory is unreadable forever.')
    expect(out).toContain('Revoked: ada.')
    expect(out).toMatch(/still has 1 token, 99\.\d+ ether/)
    expect(out).toContain('Incomplete.')
    const server = await house.open()
    expect((await server.get('/api/wallet', keys.ada)).status).toBe(401)
    const closed = await server.download(wallet, ids.ada ?? '')
    expect(closed.body).toMatchObject({ code: 'bundle/unreadable' })
    const opened = [
      await server.download(await house.walletOf('ben'), ids.ben ?? ''),
      await server.download(house.agent(), ids.own ?? ''),
    ]
    expect(opened.map(({ status }) => status)).toEqual([200, 200])
    expect(await server.snapshot(keys.ben ?? '')).toBe('4')
    await server.close()
    const status = await statusOf(house)
    expect(status.map(({ tenant, state }) => [tenant, state])).toEqual([
      ['default', 'sealing'],
      ['ada', 'destroyed'],
      ['ben', 'sealing'],
    ])
  })

  test('ends API keys that its file does not name, and frees no name', async () => {
    const { house, keys } = await withMemories()
    const path = `${house.env.API_KEYS_FILE}`
    const before = readFileSync(path, 'utf8')
    await house.command('tenants remove ada --yes')
    writeFileSync(path, before)
    const again = await house.command('tenants add ada')
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('no other gets its name')])
    const server = await house.open()
    expect((await server.get('/api/wallet', keys.ada)).status).toBe(401)
  })

  test('keeps the wallet, whose key it writes into a file', async () => {
    const { house } = await withMemories()
    const path = join(house.folder, '..', 'wallet.key')
    const unnamed = await house.command('tenants wallet ada')
    expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining('never printed')])
    const wallet = await house.walletOf('ada')
    await house.command('tenants remove ada --yes')
    const { code, out, err } = await house.command(`tenants wallet ada --file ${path} --json`)
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toEqual({ name: 'ada', address: wallet.address, file: path })
    const key = readFileSync(path, 'utf8').trim() as `0x${string}`
    expect(privateKeyToAddress(key)).toBe(wallet.address)
    expect(out).not.toContain(key.slice(2))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const twice = await house.command(`tenants wallet ada --file ${path}`)
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('EEXIST')])
  })

  test('stays done when the files of before are put back', async () => {
    const { house, keys, ids } = await withMemories()
    const wallet = await house.walletOf('ada')
    const names = ['tenants.keys', 'sealing.keys'].map((name) => join(house.folder, name))
    const older = names.map((path) => readFileSync(path))
    const apiKeys = readFileSync(`${house.env.API_KEYS_FILE}`)
    await house.command('tenants remove ada --yes')
    for (const [at, path] of names.entries()) writeFileSync(path, older[at] ?? '')
    writeFileSync(`${house.env.API_KEYS_FILE}`, apiKeys)
    const server = await house.open()
    expect((await server.get('/api/wallet', keys.ada)).status).toBe(401)
    expect((await server.get('/api/wallet', keys.ben)).status).toBe(200)
    expect((await server.download(wallet, ids.ada ?? '')).body.code).toBe('bundle/unreadable')
  })

  test('is finished by a second run, and found by doctor, when the first was cut off', async () => {
    const { house, keys } = await withMemories()
    const path = join(house.folder, 'sealing.keys')
    const before = readFileSync(path)
    const apiKeys = readFileSync(`${house.env.API_KEYS_FILE}`)
    await house.command('tenants remove ada --yes')
    // As if the keys had not been destroyed.
    rmSync(join(house.folder, 'destroyed.keys'))
    writeFileSync(path, before)
    await house.setState('ada', 'closing')
    // Another server's file may still have its API keys.
    writeFileSync(`${house.env.API_KEYS_FILE}`, apiKeys)
    const server = await house.open()
    expect((await server.get('/api/wallet', keys.ben)).status).toBe(200)
    expect((await server.get('/api/wallet', keys.ada)).status).toBe(401)
    await server.close()
    expect((await house.command('doctor')).out).toMatch(/fail +tenants .*ada is not complete/)
    const { id = '' } = (await statusOf(house)).find(({ tenant }) => tenant === 'ada') ?? {}
    expect((await house.command(`keys destroy ${id} --yes`)).code).toBe(0)
    const left = async () => (await statusOf(house)).filter(({ tenant }) => tenant === 'ada')
    expect(await left()).toMatchObject([{ id, state: 'destroyed' }])
    expect((await house.command('tenants remove ada --yes')).code).toBe(0)
    expect(await left()).toMatchObject([{ id, state: 'destroyed' }])
  })
})

describe('the wallets of tenants', () => {
  test('are missed by the start and by doctor when their file is lost', async () => {
    const { house } = await withMemories()
    const [path, away] = ['tenants.keys', 'kept'].map((name) => join(house.folder, name))
    renameSync(path as string, away as string)
    await expect(house.open()).rejects.toMatchObject({ code: 'folder/incomplete' })
    const { code, out } = await house.command('doctor')
    expect([code, out]).toEqual([1, expect.stringMatching(/fail +tenants .*ada, ben/)])
    renameSync(away as string, path as string)
    await (await house.open()).close()
    expect((await house.command('doctor')).out).toMatch(/ok +tenants /)
  })

  test('are wrapped by the new master key after a rotation', async () => {
    const { house, keys } = await withMemories()
    const { address } = await house.walletOf('ada')
    const path = join(house.folder, 'master.keys')
    const old = readFileSync(path, 'utf8')
    writeFileSync(path, `${'ab'.repeat(32)}\n${old}`)
    const { out } = await house.command('keys rotate')
    expect(out).toContain('It wraps the wallets of the tenants ada, ben too.')
    writeFileSync(path, `${'ab'.repeat(32)}\n`)
    const server = await house.open()
    expect((await server.get('/api/wallet', keys.ada)).body.address).toBe(address)
  })

  test('are in a backup, wrapped, and come back with it', async () => {
    const { house, keys, ids } = await withMemories()
    const wallet = await house.walletOf('ada')
    const [to, into] = ['backup', 'restored'].map((name) => join(house.folder, '..', name))
    expect((await house.command(`backup ${to}`)).code).toBe(0)
    mkdirSync(into as string, { mode: 0o700 })
    for (const name of ['master.keys', 'agent.key']) {
      cpSync(join(house.folder, name), join(into as string, name))
    }
    const restored = await house.command(`restore ${to} --into ${into} --verify --as-writer`)
    expect([restored.code, restored.err]).toEqual([0, expect.anything()])
    expect(existsSync(join(into as string, 'tenants.keys'))).toBe(true)
    const server = await house.open({ DATA_DIR: into })
    expect((await server.get('/api/wallet', keys.ada)).body.address).toBe(wallet.address)
    expect((await server.download(wallet, ids.ada ?? '')).status).toBe(200)
  })
})
