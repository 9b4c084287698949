import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walletKeys } from '@heirloom/testkit'
import { Keystore } from 'ox'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { run } from '../../../test/command-harness.ts'
import { keystoreText } from '../../../test/keystore-text.ts'
import { findOwnAccount } from '../connection/find-account.ts'
import { scryptKey } from '../connection/keystore.ts'

const home = mkdtempSync(join(tmpdir(), 'login-'))
afterAll(() => rmSync(home, { recursive: true }))

const password = 'correct horse'
const key = walletKeys[3] as `0x${string}`
const { address } = privateKeyToAccount(key)

/** Returns the environment of a user with a home folder of its own. */
const userOf = (name: string) => ({
  XDG_CONFIG_HOME: join(home, name),
  HEIRLOOM_KEYSTORE_PASSWORD: password,
})

const fileOf = (name: string) => join(home, name, 'heirloom', 'keystore.json')

test('encrypts a key into a file of this user alone, which every command finds', async () => {
  const env = userOf('ada')
  const { code, out, err } = await run(['login', '--import', '-', '--json'], {
    env,
    input: `${key}\n`,
  })
  expect([code, err, JSON.parse(out)]).toEqual([
    ...[0, ''],
    { address, keystore: fileOf('ada'), isNew: false },
  ])
  const text = readFileSync(fileOf('ada'), 'utf8')
  expect(text).not.toContain(key.slice(2))
  expect(JSON.parse(text)).toMatchObject({ version: 3, address: address.slice(2).toLowerCase() })
  expect(statSync(fileOf('ada')).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(home, 'ada', 'heirloom'))).toEqual(['keystore.json'])
  expect(await findOwnAccount({ env } as never)).toMatchObject({ address })

  const wrong = { env: { ...env, HEIRLOOM_KEYSTORE_PASSWORD: 'another one' } }
  await expect(findOwnAccount(wrong as never)).rejects.toThrow(
    `${fileOf('ada')} does not open with this password.`,
  )
  const { HEIRLOOM_KEYSTORE_PASSWORD: _, ...without } = env
  const answers = await run(['earnings'], { env: without })
  expect([answers.code, answers.err]).toEqual([
    2,
    expect.stringContaining(`to open ${fileOf('ada')}`),
  ])

  // What is set up is shown, and never replaced.
  const shown = await run(['login'], { env: { ...without, HEIRLOOM_PRIVATE_KEY: key } })
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining(address)])
  expect(shown.out).toContain('HEIRLOOM_PRIVATE_KEY is set')
  const again = await run(['login', '--new'], { env })
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('never replaced')])
  expect(readFileSync(fileOf('ada'), 'utf8')).toBe(text)
})

test.each([
  [['--new'], { HEIRLOOM_KEYSTORE_PASSWORD: 'short' }, 'at least 8 characters'],
  [['--new'], { HEIRLOOM_KEYSTORE_PASSWORD: undefined }, 'must be set where there is no terminal'],
  [[], {}, 'Pass --new, or --import FILE'],
  [['--new', '--import', '-'], {}, 'exclude each other'],
  [['--import', '-'], {}, 'The private key must be 32 bytes in hexadecimal.'],
  [['--import', key], {}, 'looks like a private key'],
])('refuses %s with %j, and writes nothing', async (words, more, problem) => {
  const env = { ...userOf('bo'), ...more }
  const { code, out, err } = await run(['login', ...words], { env, input: 's3cret' })
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(problem)])
  expect(err).not.toContain('s3cret')
  expect(err).not.toContain(key.slice(2))
  expect(() => statSync(fileOf('bo'))).toThrow()
})

test('another library opens what it writes, and it opens what that one writes', async () => {
  const written = JSON.parse(readFileSync(fileOf('ada'), 'utf8'))
  const weak = { ...written.crypto.kdfparams, n: 2, r: 1 }
  const [derived] = Keystore.scrypt({ password, n: 2, r: 1, p: 1, salt: `0x${weak.salt}` })
  expect(await scryptKey(password, weak)).toBe(typeof derived === 'function' ? derived() : derived)
  const file = join(home, 'of-ox.json')
  for (const kdf of ['scrypt', 'pbkdf2'] as const) {
    writeFileSync(file, keystoreText(key, { password, kdf }))
    const env = { HEIRLOOM_KEYSTORE: file, HEIRLOOM_KEYSTORE_PASSWORD: password }
    expect(await findOwnAccount({ env } as never)).toMatchObject({ address })
  }
  const greedy = {
    ...written,
    crypto: { ...written.crypto, kdfparams: { ...weak, n: 2 ** 24, r: 8 } },
  }
  writeFileSync(file, JSON.stringify(greedy))
  const env = { HEIRLOOM_KEYSTORE: file, HEIRLOOM_KEYSTORE_PASSWORD: password }
  await expect(findOwnAccount({ env } as never)).rejects.toThrow('does not open')
})

test('says what is wrong with a file that is no keystore', async () => {
  const env = { HEIRLOOM_KEYSTORE: join(home, 'notes.json'), HEIRLOOM_KEYSTORE_PASSWORD: password }
  writeFileSync(env.HEIRLOOM_KEYSTORE, '{"data":{}}')
  const problem = 'HEIRLOOM_KEYSTORE must be a keystore of version 3, as geth and foundry write it.'
  await expect(findOwnAccount({ env } as never)).rejects.toThrow(problem)
  writeFileSync(env.HEIRLOOM_KEYSTORE, 'not JSON')
  await expect(findOwnAccount({ env } as never)).rejects.toThrow(problem)
})
