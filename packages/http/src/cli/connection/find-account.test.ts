import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { walletKeys } from '@heirloom/testkit'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { folder, here, mintToken, run, runJson, withServer } from '../../../test/command-harness.ts'
import { keystoreText } from '../../../test/keystore-text.ts'

withServer()

const key = walletKeys[2] as `0x${string}`
const { address } = privateKeyToAccount(key)

/** Writes a keystore of that wallet, and returns its path. */
function keystore(kdf: 'scrypt' | 'pbkdf2'): string {
  const path = join(folder, `${kdf}.json`)
  writeFileSync(path, keystoreText(key, { password: 'correct horse', kdf }))
  return path
}

/** Mints a memory for the wallet of the keystore, and downloads it with an environment. */
async function download(env: Readonly<Record<string, string>>) {
  const id = await mintToken({ for: 'them' }, '--recipient', address)
  return run(['download', id, '--json'], { env: { HEIRLOOM_URL: here.HEIRLOOM_URL, ...env } })
}

test('reads the wallet from a key, or from a scrypt or PBKDF2 keystore with its password', async () => {
  const file = join(folder, 'password')
  writeFileSync(file, 'correct horse\n')
  for (const env of [
    { HEIRLOOM_PRIVATE_KEY: key },
    { HEIRLOOM_PRIVATE_KEY: key.slice(2) },
    { HEIRLOOM_KEYSTORE: keystore('scrypt'), HEIRLOOM_KEYSTORE_PASSWORD: 'correct horse' },
    { HEIRLOOM_KEYSTORE: keystore('pbkdf2'), HEIRLOOM_KEYSTORE_PASSWORD_FILE: file },
  ]) {
    const { code, out } = await download(env)
    expect([code, JSON.parse(out).data]).toEqual([0, { for: 'them' }])
  }
})

test('defaults to the wallet of the server on this machine, and to none elsewhere', async () => {
  const id = await mintToken()
  expect((await runJson('download', id)).data).toEqual({ mood: 'calm' })
  expect((await download({ DATA_DIR: join(folder, 'nothing') })).code).toBe(4)
})

test('names an invalid variable, and shows nothing of its value', async () => {
  const path = keystore('scrypt')
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{"version":3}')
  const cases: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ HEIRLOOM_PRIVATE_KEY: 's3cret' }, 'HEIRLOOM_PRIVATE_KEY'],
    [{ HEIRLOOM_PRIVATE_KEY: key, HEIRLOOM_KEYSTORE: path }, 'HEIRLOOM_KEYSTORE'],
    [{ HEIRLOOM_KEYSTORE: join(folder, 's3cret') }, 'HEIRLOOM_KEYSTORE'],
    [{ HEIRLOOM_KEYSTORE: path, HEIRLOOM_KEYSTORE_PASSWORD: 's3cret' }, 'HEIRLOOM_KEYSTORE'],
    [{ HEIRLOOM_KEYSTORE: broken, HEIRLOOM_KEYSTORE_PASSWORD: 's3cret' }, 'HEIRLOOM_KEYSTORE'],
    [{ HEIRLOOM_KEYSTORE: path }, 'HEIRLOOM_KEYSTORE_PASSWORD'],
    [
      { HEIRLOOM_KEYSTORE: path, HEIRLOOM_KEYSTORE_PASSWORD_FILE: join(folder, 's3cret') },
      'HEIRLOOM_KEYSTORE_PASSWORD_FILE',
    ],
    [{ HEIRLOOM_URL: 'ftp://ada:s3cret@x' }, 'HEIRLOOM_URL'],
  ]
  for (const [env, name] of cases) {
    const { code, err } = await download(env)
    expect([code, err]).toEqual([2, expect.stringContaining(name)])
    expect(err).not.toContain('s3cret')
  }
})

test('does not use the key of the local server for a server elsewhere', async () => {
  const data = join(folder, 'other')
  mkdirSync(data)
  writeFileSync(join(data, 'agent.key'), key)
  // White space around the value is ignored, as by the server.
  const env = { DATA_DIR: ` ${data}\n`, HEIRLOOM_URL: 'http://192.0.2.1:1', HEIRLOOM_KEYSTORE: '' }
  const { findAccount } = await import('./find-account.ts')
  const terminal = { env } as never
  expect(await findAccount(terminal, new URL(env.HEIRLOOM_URL))).toBeUndefined()
  expect(await findAccount(terminal, new URL('http://[::1]:1'))).toMatchObject({ address })
  rmSync(data, { recursive: true })
})
