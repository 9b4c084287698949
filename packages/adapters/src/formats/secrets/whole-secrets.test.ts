import { generateKeyPairSync, hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { leastTime } from '../../../../../test/harness/yardstick.ts'
import { handleSecrets, redactSecrets } from './secrets.ts'

/** Returns letters and digits that follow from a seed. */
function textOf(seed: string, length: number): string {
  let text = ''
  for (let block = 0; text.length < length; block++) {
    text += hash('sha512', `${seed} ${block}`, 'base64url')
  }
  return text.slice(0, length)
}

const keyPair = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey
const pem = keyPair(2048).export({ type: 'pkcs8', format: 'pem' })
const key = Buffer.from(pem).toString('base64')
const token = Buffer.from(`AWS:${textOf('registry', 1800)}`).toString('base64')
const long = `a1${textOf('long', 298)}`

/** Texts with one secret, of which nothing may be left. */
const texts: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  'a long key in base64': [`DEPLOY_PRIVATE_KEY=${key}`, key],
  'a long key in quotes': [`export SIGNING_KEY="${key}"`, key],
  'a long value': [`api_key=${long}`, long],
  'a long value of YAML': [`api_key: ${long}`, long],
  'a long option': [`tool --api-key ${long}`, long],
  'a long element': [`<password>${long}</password>`, long],
  'a long password in an address': [`postgres://ada:${long}@db.example/notes`, long],
  'a long password of a command': [`curl -u ada:${long} https://api.example`, long],
  'a long basic authorization': [`Authorization: Basic ${token}`, token],
  'a long credential of Docker': [`{"auths":{"r.example":{"auth":"${token}"}}}`, token],
  'a very long value': [`api_key=${`a1${textOf('very', 20_000)}`}`, textOf('very', 20_000)],
  'a comma in a password': ['the password is Tr0ub4dor,9xyz77', 'Tr0ub4dor,9xyz77'],
  'a semicolon in a password': ['my password is k3yword;s3cr3t-tail', 'k3yword;s3cr3t-tail'],
}

const documentOf = (text: string) =>
  JSON.stringify({ data: { notes: [text] }, metadata: { category: 'x' } })

describe('of a secret that is found, nothing is left', () => {
  test.each(Object.entries(texts))('%s', (_, [text, secret]) => {
    for (const whole of [text, documentOf(text)]) {
      const { text: left, secrets } = redactSecrets(whole)
      expect(secrets.length).toBeGreaterThan(0)
      for (let at = 0; at + 6 <= secret.length; at += 3) {
        expect(left).not.toContain(secret.slice(at, at + 6))
      }
    }
  })

  test.each([2048, 4096])('a JSON Web Key of RSA with %i bits', (bits) => {
    const jwk = keyPair(bits).export({ format: 'jwk' })
    const { text } = redactSecrets(JSON.stringify({ data: { key: jwk } }))
    const { n, e, kty, ...secret } = jwk
    for (const part of Object.values(secret)) expect(text).not.toContain(`${part}`.slice(-40))
    expect(JSON.parse(text)).toMatchObject({ data: { key: { n, e, kty } } })
  })

  test('a JSON Web Key of a shared secret', () => {
    const secret = `k9${textOf('shared', 41)}`
    for (const jwk of [
      { kty: 'oct', k: secret },
      { k: secret, alg: 'HS256', kty: 'oct' },
    ]) {
      expect(redactSecrets(JSON.stringify({ data: jwk })).text).not.toContain(secret.slice(3, 20))
    }
    expect(redactSecrets(JSON.stringify({ k: secret })).secrets).toEqual([])
  })
})

test('what follows a secret stays', () => {
  const stays = {
    'Server=db;Password=abc12345x;User=bob': ';User=bob',
    'the password is abc12345x. Then go on.': '. Then go on.',
    'login(password=abc12345x).then(next)': ').then(next)',
    'the password is abc12345x, then go on': ', then go on',
  }
  for (const [text, end] of Object.entries(stays)) {
    const { text: left } = redactSecrets(text)
    expect(left).toContain(`(redacted-1)${end}`)
  }
})

test('no path of a place shows a secret that is a name of it', () => {
  const name = 'sk-proj-AbCdEfGh1234567890AbCdEfGh1234567890'
  const text = JSON.stringify({ data: { [name]: { inner: { password: 'hunter2xyz9' } } } })
  const { secrets } = redactSecrets(text)
  expect(secrets).toHaveLength(2)
  expect(JSON.stringify(secrets)).not.toContain('AbCdEfGh1234567890AbC')
  try {
    handleSecrets(text, 'refuse')
  } catch (error) {
    expect(JSON.stringify(Object(error).facts) + Object(error).message).not.toContain('567890AbC')
  }
  expect.assertions(3)
})

describe('a search for secrets takes linear time', () => {
  const english = 'abandon ability able about above absent absorb abstract '
  const shapes = {
    tokens: '-eyJ',
    keys: 'api_key=',
    quotes: 'password="',
    commas: 'password is a1b2c3,',
    words: english,
    auth: '"auth":"',
    basic: 'basic AAAA',
    jwk: '"k":"a1',
    option: '--token ',
    addresses: 'https://a:',
    pairs: "'API_TOKEN' => '",
    list: '的一是在不了有和',
  }

  test.each(Object.entries(shapes))('in a text of %s', async (_, shape) => {
    const timeOf = (length: number) => {
      const text = JSON.stringify([shape.repeat(length / shape.length)])
      return leastTime(() => redactSecrets(text))
    }
    await timeOf(4000)
    const [short, longer] = [await timeOf(16_000), await timeOf(128_000)]
    // Quadratic time would be 64 times as much; eight times, and as much again for the machine.
    expect(longer).toBeLessThan(24 * Math.max(short, 10))
  })
})
