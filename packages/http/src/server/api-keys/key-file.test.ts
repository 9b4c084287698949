import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wei } from '@heirloom/core'
import fc from 'fast-check'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../../test/command-harness.ts'
import { addKey, formatKeyFile, parseKeyFile, readKeyFile, removeKey } from './key-file.ts'
import { keyDigest } from './key-ring.ts'
import { type ApiKeysEvent, openApiKeys } from './open-api-keys.ts'

let path: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  path = join(folder, 'keys.json')
})

const amount = fc.option(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(wei), { nil: undefined })
const digest = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((it) => Buffer.from(it).toString('hex'))
const key = fc.record(
  {
    name: fc.stringMatching(/^[a-d][a-d0-9-]{0,39}$/),
    scope: fc.constantFrom('read', 'write', 'admin'),
    sha256: digest,
    perCall: amount,
    perDay: amount,
  },
  { requiredKeys: ['name', 'scope', 'sha256'] },
)

describe('a key file', () => {
  test('is read back as it was written', () => {
    const keys = fc.uniqueArray(key, { selector: ({ name }) => name, maxLength: 5 })
    fc.assert(
      fc.property(keys, (all) => {
        expect(parseKeyFile(formatKeyFile(all as never))).toEqual(all)
      }),
    )
  })

  const row = { name: 'shop', scope: 'write', sha256: 'ab'.repeat(32) }
  test.each([
    ['not JSON', '{'],
    ['null', 'null'],
    ['no list', '{}'],
    ['an unknown scope', { keys: [{ ...row, scope: 'root' }] }],
    [
      'a key in clear text',
      { keys: [{ name: 'shop', scope: 'write', key: 'secret-secret-secret' }] },
    ],
    ['an invalid digest', { keys: [{ ...row, sha256: 'AB'.repeat(32) }] }],
    ['a name of the environment', { keys: [{ ...row, name: 'env-1' }] }],
    ['an amount with a fraction', { keys: [{ ...row, perDay: '0.1' }] }],
    ['an amount above 2 ** 256', { keys: [{ ...row, perDay: '9'.repeat(78) }] }],
    ['an unknown member', { keys: [{ ...row, perWeek: '1' }] }],
    ['one name twice', { keys: [row, { ...row, sha256: 'cd'.repeat(32) }] }],
    ['one key twice', { keys: [row, { ...row, name: 'other' }] }],
  ])('with %s is refused, and the failure names no digest', (_, file) => {
    const text = typeof file === 'string' ? file : JSON.stringify(file)
    expect(() => parseKeyFile(text)).toThrow(/^API_KEYS_FILE /)
    expect(() => parseKeyFile(text)).not.toThrow(/abab|ABAB|secret/)
  })

  test('is readable for its user alone, and contains no key', () => {
    const text = addKey(path, { name: 'shop', scope: 'write', perDay: wei(7n) })
    expect(text).toMatch(/^hl_[\w-]{43}$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readKeyFile(path)).toEqual([
      { name: 'shop', scope: 'write', perDay: 7n, sha256: keyDigest(text) },
    ])
    expect(() => addKey(path, { name: 'shop', scope: 'read' })).toThrow('revoke it first')
    expect(() => addKey(path, { name: 'No name', scope: 'read' })).toThrow('takes names')
    removeKey(path, 'shop')
    expect(readKeyFile(path)).toEqual([])
    expect(() => removeKey(path, 'shop')).toThrow('has no key of that name')
  })
})

/** Opens the keys of the file, and records the outcome of each reload. */
async function openKeys(interval = 3_600_000) {
  const events: ApiKeysEvent[] = []
  const { promise, resolve } = Promise.withResolvers<ApiKeysEvent>()
  const observe = (event: ApiKeysEvent) => {
    events.push(event)
    resolve(event)
  }
  const keys = await openApiKeys({ apiKeys: [], apiKeysFile: path }, { observe, interval })
  onTestFinished(keys.close)
  return { keys, events, first: promise }
}

describe('a server', () => {
  test('reloads its file when that changes, without a restart', async () => {
    const old = addKey(path, { name: 'shop', scope: 'write' })
    const { keys, first } = await openKeys(20)
    const added = addKey(path, { name: 'agent', scope: 'read' })
    expect(await first).toEqual({ kind: 'reloaded', keys: 2 })
    expect([keys.ring.find(old)?.name, keys.ring.find(added)?.name]).toEqual(['shop', 'agent'])
  })

  test('reloads its file on SIGHUP', async () => {
    const old = addKey(path, { name: 'shop', scope: 'write' })
    const { keys, first } = await openKeys()
    removeKey(path, 'shop')
    process.kill(process.pid, 'SIGHUP')
    expect(await first).toEqual({ kind: 'reloaded', keys: 0 })
    expect(keys.ring.find(old)).toBeUndefined()
    expect(keys.ring.isRequired).toBe(true)
  })

  test.each([
    ['is invalid', () => writeFileSync(path, '{"keys":[')],
    ['is missing', () => rmSync(path)],
  ])('leaves its keys unchanged where the new file %s, and reports it', async (_, spoil) => {
    const old = addKey(path, { name: 'shop', scope: 'write' })
    const { keys, events } = await openKeys()
    spoil()
    keys.reload()
    expect(events).toMatchObject([{ kind: 'rejected', error: { code: 'config/invalid' } }])
    expect(keys.ring.find(old)?.name).toBe('shop')
  })

  test('does not start with a missing or an invalid file', async () => {
    await expect(openKeys()).rejects.toThrow('heirloom api-key new')
    writeFileSync(path, '[]')
    await expect(openKeys()).rejects.toMatchObject({ facts: { name: 'API_KEYS_FILE' } })
    chmodSync(path, 0o600)
  })
})

describe('heirloom api-key', () => {
  const env = () => ({ API_KEYS_FILE: path })

  test('generates a key, lists its name, and revokes it', async () => {
    const words = ['api-key', 'new', 'shop', '--per-day', '0.1ether', '--per-call', '5gwei']
    const made = await run(words, { env: env() })
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^hl_[\w-]{43}\n$/), err: '' })
    const listed = await run(['api-key', 'list'], { env: env() })
    expect(listed.out).toBe(
      'shop  write  0.000000005 ether (5000000000 wei) a call, 0.1 ether (100000000000000000 wei) a day\n',
    )
    expect(JSON.parse((await run(['api-key', 'list', '--json'], { env: env() })).out)).toEqual([
      { name: 'shop', scope: 'write', perCall: '5000000000', perDay: '100000000000000000' },
    ])
    expect((await run(['api-key', 'revoke', 'shop'], { env: env() })).code).toBe(0)
    expect((await run(['api-key', 'list'], { env: env() })).out).toBe('')
  })

  test.each([
    ['no file', ['api-key', 'list'], {}, 'Set API_KEYS_FILE, or pass --file'],
    ['no name', ['api-key', 'new'], { API_KEYS_FILE: 'keys.json' }, 'needs the NAME of the key'],
    ['an unknown action', ['api-key', 'show'], {}, 'ACTION of api-key must be'],
    ['an unknown scope', ['api-key', 'new', 'a', '--scope', 'root'], {}, '--scope of api-key'],
  ])('refuses %s', async (_, words, variables, sentence) => {
    const { code, err } = await run(words, { env: variables })
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
  })
})
