import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { walletKeys } from '@heirloom/testkit'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { done, folder, here, minted, run, withServer } from '../../../test/command-world.ts'
import { keystoreText } from '../../../test/keystore.ts'

withServer()

const key = walletKeys[2] as `0x${string}`
const { address } = privateKeyToAccount(key)

/** Writes a keystore of that wallet, and returns its path. */
function keystore(kdf: 'scrypt' | 'pbkdf2'): string {
  const path = join(folder, `${kdf}.json`)
  writeFileSync(path, keystoreText(key, { password: 'correct horse', kdf }))
  return path
}

/** Opens a memory that only the wallet of the keystore may open, in an environment. */
async function open(env: Readonly<Record<string, string>>) {
  const id = await minted({ for: 'them' }, '--recipient', address)
  return run(['download', id, '--json'], { env: { HEIRLOOM_URL: here.HEIRLOOM_URL, ...env } })
}

test('a wallet is a key, or a keystore of either kind with its password', async () => {
  const file = join(folder, 'password')
  writeFileSync(file, 'correct horse\n')
  for (const env of [
    { HEIRLOOM_PRIVATE_KEY: key },
    { HEIRLOOM_PRIVATE_KEY: key.slice(2) },
    { HEIRLOOM_KEYSTORE: keystore('scrypt'), HEIRLOOM_KEYSTORE_PASSWORD: 'correct horse' },
    { HEIRLOOM_KEYSTORE: keystore('pbkdf2'), HEIRLOOM_KEYSTORE_PASSWORD_FILE: file },
  ]) {
    const { code, out } = await open(env)
    expect([code, JSON.parse(out).data]).toEqual([0, { for: 'them' }])
  }
})

test('on this machine it is the one of the server, and of nobody elsewhere', async () => {
  const id = await minted()
  expect((await done('download', id)).data).toEqual({ mood: 'calm' })
  expect((await open({ DATA_DIR: join(folder, 'nothing') })).code).toBe(4)
})

test('a variable that is wrong is named, and nothing of it told', async () => {
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
    [{ HEIRLOOM_URL: 's3cret' }, 'HEIRLOOM_URL'],
  ]
  for (const [env, name] of cases) {
    const { code, err } = await open(env)
    expect([code, err]).toEqual([2, expect.stringContaining(name)])
    expect(err).not.toContain('s3cret')
  }
})

test('a key of the server is no key of a server elsewhere', async () => {
  const data = join(folder, 'other')
  mkdirSync(data)
  writeFileSync(join(data, 'agent.key'), key)
  // With blanks around it, as the server takes it too.
  const env = { DATA_DIR: ` ${data}\n`, HEIRLOOM_URL: 'http://192.0.2.1:1', HEIRLOOM_KEYSTORE: '' }
  const { accountOf } = await import('./find-account.ts')
  const terminal = { env } as never
  expect(await accountOf(terminal, new URL(env.HEIRLOOM_URL))).toBeUndefined()
  expect(await accountOf(terminal, new URL('http://[::1]:1'))).toMatchObject({ address })
  rmSync(data, { recursive: true })
})
