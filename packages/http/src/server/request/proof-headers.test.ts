import { toSeconds } from '@heirloom/core'
import fc from 'fast-check'
import { getAddress, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  agent,
  mintToken,
  openHarness,
  other,
  proofOf,
  type ServerHarness,
} from '../../../test/server-harness.ts'
import { readProof } from './proof-headers.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let harness: ServerHarness
let proof: Awaited<ReturnType<typeof proofOf>>
beforeEach(async () => {
  harness = openHarness()
  await mintToken(harness)
  await mintToken(harness)
  proof = await proofOf(agent, '1', toSeconds(harness.clock.now()))
})

async function refused(headers: object, status: number, code: string, id = '1') {
  const before = await harness.state()
  const reply = await harness.server.inject({ url: `/api/memory/${id}`, headers: { ...headers } })
  expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  expect(await harness.state()).toEqual(before)
  return reply.json().facts
}

const signatureOf = (s: bigint, v: string) =>
  `${proof['x-wallet-signature'].slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`

describe('the gate', () => {
  test.each(['x-wallet-address', 'x-wallet-signature', 'x-wallet-timestamp'])(
    'needs %s',
    async (header) => {
      const { [header as 'x-wallet-address']: _, ...rest } = proof
      expect(await refused(rest, 403, 'proof/missing')).toEqual({ header })
      expect(await refused({ ...rest, [header]: '' }, 403, 'proof/missing')).toEqual({ header })
    },
  )

  test.each([
    ['all lower case', (text: string) => text.toLowerCase()],
    ['all upper case', (text: string) => `0x${text.slice(2).toUpperCase()}`],
    [
      'one letter of the other case',
      (text: string) => text.replace(/[a-f]/, (it) => it.toUpperCase()),
    ],
    ['one digit short', (text: string) => text.slice(0, -1)],
    ['no 0x', (text: string) => text.slice(2)],
    ['a space', (text: string) => `${text.slice(0, 9)} ${text.slice(9)}`],
  ])('refuses an address with %s', async (_, spell) => {
    const header = 'x-wallet-address'
    const headers = { ...proof, [header]: spell(proof[header]) }
    expect(await refused(headers, 403, 'proof/malformed')).toEqual({ header })
  })

  test('accepts only the checksummed form of an address, also when it is cached', () => {
    const rest = { 'x-wallet-signature': proof['x-wallet-signature'], 'x-wallet-timestamp': '1' }
    const read = (address: string) => readProof({ ...rest, 'x-wallet-address': address }).account
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(bytes, (address) => {
        const right = getAddress(toHex(address))
        const wrong = [right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`]
        for (let time = 0; time < 2; time++) {
          expect(read(right)).toBe(right)
          for (const text of wrong.filter((it) => it !== right)) {
            expect(() => read(text)).toThrow(expect.objectContaining({ code: 'proof/malformed' }))
          }
        }
      }),
    )
  })

  test.each([
    '01800000000',
    '1800000000.0',
    '1.8e9',
    '+1800000000',
    '-1',
    '0x6b49d200',
    '1800000000000',
    'now',
  ])('refuses the timestamp %s', async (timestamp) => {
    const header = 'x-wallet-timestamp'
    const headers = { ...proof, [header]: timestamp }
    expect(await refused(headers, 403, 'proof/malformed')).toEqual({ header })
  })

  test.each([
    ['a byte short', (text: string) => text.slice(0, -2)],
    ['a digit long', (text: string) => `${text}0`],
    ['longer than 8 KiB', (text: string) => `${text}${'00'.repeat(8192 - 64)}`],
    ['long and no hexadecimal', (text: string) => `${text}zz`],
    ['a digit short', (text: string) => text.slice(0, -1)],
    ['no hexadecimal', (text: string) => text.replace(/.$/, 'g')],
    ['a recovery byte of 2', (text: string) => `${text.slice(0, -2)}02`],
    ['a recovery byte of 29', (text: string) => `${text.slice(0, -2)}1d`],
  ])('refuses a signature that is %s', async (_, spell) => {
    const header = 'x-wallet-signature'
    const headers = { ...proof, [header]: spell(proof[header]) }
    expect(await refused(headers, 403, 'proof/malformed')).toEqual({ header })
  })

  test.each([66, 130, 8192])('leaves %d bytes of signature to a contract', async (bytes) => {
    const header = 'x-wallet-signature'
    const long = { ...proof, [header]: `0x${'Ab'.repeat(bytes)}` }
    expect(readProof(long).signature).toBe(`0x${'ab'.repeat(bytes)}`)
    await refused(long, 403, 'proof/not-signed')
    const stranger = { ...(await proofOf(other, '1', 1_800_000_000)), [header]: long[header] }
    await refused(stranger, 403, 'access/denied')
    const unknown = { ...(await proofOf(agent, '9', 1_800_000_000)), [header]: long[header] }
    await refused(unknown, 404, 'token/not-found', '9')
  })

  test('refuses the second form of a signature, with a high s', async () => {
    const s = BigInt(`0x${proof['x-wallet-signature'].slice(66, 130)}`)
    const v = proof['x-wallet-signature'].endsWith('1b') ? '1c' : '1b'
    const headers = { ...proof, 'x-wallet-signature': signatureOf(order - s, v) }
    expect(await refused(headers, 403, 'proof/malformed')).toEqual({ header: 'x-wallet-signature' })
  })

  test('accepts s up to half the order of the curve', () => {
    const half = { ...proof, 'x-wallet-signature': signatureOf(order / 2n, '00') }
    expect(readProof(half).signature).toMatch(/1b$/)
    const above = { ...proof, 'x-wallet-signature': signatureOf(order / 2n + 1n, '00') }
    expect(() => readProof(above)).toThrow('x-wallet-signature')
  })

  test('refuses a signature of another token', async () => {
    await refused(proof, 403, 'proof/not-signed', '2')
  })

  test('refuses a signature by another wallet', async () => {
    const signature = (await proofOf(other, '1', 1_800_000_000))['x-wallet-signature']
    await refused({ ...proof, 'x-wallet-signature': signature }, 403, 'proof/not-signed')
  })

  test('refuses a signature of another time', async () => {
    await refused({ ...proof, 'x-wallet-timestamp': '1800000001' }, 403, 'proof/not-signed')
  })

  test('refuses a header that is sent twice', async () => {
    const twice = `${proof['x-wallet-timestamp']}, ${proof['x-wallet-timestamp']}`
    await refused({ ...proof, 'x-wallet-timestamp': twice }, 403, 'proof/malformed')
  })

  test('checks the headers first, then the token, then the right to it', async () => {
    await refused({}, 403, 'proof/missing', '9')
    await refused(proof, 403, 'proof/not-signed', '9')
    await refused(await proofOf(agent, '9', 1_800_000_000), 404, 'token/not-found', '9')
    await refused(await proofOf(other, '1', 1_800_000_000), 403, 'access/denied')
  })
})
