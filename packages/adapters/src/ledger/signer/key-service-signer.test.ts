import { inspect } from 'node:util'
import { account, Failure, type KeyService } from '@heirloom/core'
import { memoryKeyService, walletKeys, wallets } from '@heirloom/testkit'
import fc from 'fast-check'
import { hexToBytes, toHex } from 'viem'
import { expect, test } from 'vitest'
import { type KeyServiceEvent, keyServiceSigner } from './key-service-signer.ts'

const address = account(wallets[0].address)
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const own = memoryKeyService(walletKeys[0])
const digest = new Uint8Array(32).fill(7)

const signerOf = (service: Partial<KeyService>, options = {}) =>
  keyServiceSigner({ service: { ...own, ...service }, address, ...options })

const answering = (bytes: unknown) => signerOf({ sign: async () => bytes as Uint8Array })

test('refuses every signature that is not of its account, whatever the service answers', async () => {
  const other = memoryKeyService(walletKeys[1])
  const digests = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const wrong = { code: 'key-service/wrong-key', facts: { account: address } }
  await fc.assert(
    fc.asyncProperty(digests, fc.uint8Array({ maxLength: 80 }), async (given, noise) => {
      await expect(signerOf({ sign: other.sign }).sign(given)).rejects.toMatchObject(wrong)
      await expect(answering(noise).sign(given)).rejects.toMatchObject(wrong)
      const flipped = Uint8Array.from(await own.sign(given))
      flipped[7] = (flipped[7] ?? 0) ^ 1
      await expect(answering(flipped).sign(given)).rejects.toMatchObject(wrong)
    }),
    { numRuns: 30 },
  )
})

test('refuses r and s out of range, and what is no bytes', async () => {
  const good = await own.sign(digest)
  const part = (value: bigint) => hexToBytes(toHex(value, { size: 32 }))
  const [r, s] = [good.subarray(0, 32), good.subarray(32)]
  const answers = [
    Uint8Array.of(...r, ...part(0n)),
    Uint8Array.of(...part(0n), ...s),
    Uint8Array.of(...r, ...part(order)),
    Uint8Array.of(...part(order), ...s),
    Uint8Array.of(...r, ...part(2n ** 256n - 1n)),
    Uint8Array.of(...good, 0),
    ...[undefined, null, 'signature', toHex(good), {}],
  ]
  for (const answer of answers) {
    await expect(answering(answer).sign(digest)).rejects.toMatchObject({
      code: 'key-service/wrong-key',
    })
  }
})

test('a service cannot make it sign another digest than that of the transaction', async () => {
  const greedy = signerOf({
    sign: async (given) => {
      given.fill(9)
      return own.sign(given)
    },
  })
  const before = Uint8Array.from(digest)
  await expect(greedy.sign(digest)).rejects.toMatchObject({ code: 'key-service/wrong-key' })
  expect(digest).toEqual(before)
})

test('a service that never answers is given up after the timeout, and reported', async () => {
  const events: KeyServiceEvent[] = []
  const observe = (event: KeyServiceEvent) => events.push(event)
  const never = () => new Promise<never>(() => undefined)
  const silent = signerOf({ sign: never, publicKey: never }, { timeout: 20, observe })
  const down = { code: 'key-service/unavailable' }
  await expect(silent.sign(digest)).rejects.toMatchObject(down)
  await expect(silent.check()).rejects.toMatchObject(down)
  expect(events).toMatchObject([
    { operation: 'sign', failure: down },
    { operation: 'public-key', failure: down },
  ])
})

test('nothing that an adapter says of an error is in a failure, and no setting is told to clients', async () => {
  const secret = 'hunter2'
  const failures: unknown[] = []
  const note = (error: unknown) => failures.push(error)
  const broken = () => {
    throw Object.assign(new TypeError(`password ${secret}`), { token: secret })
  }
  const wrongPin = async () => {
    throw new Failure('config/invalid', { name: 'AGENT_KEY_PIN', problem: 'is wrong' })
  }
  await signerOf({ sign: broken }).sign(digest).catch(note)
  await signerOf({ publicKey: broken }).check().catch(note)
  await signerOf({ sign: wrongPin }).sign(digest).catch(note)
  expect(failures).toMatchObject([
    { code: 'key-service/unavailable' },
    { code: 'key-service/unavailable' },
    { code: 'key-service/unavailable', facts: { operation: 'sign' } },
  ])
  expect(inspect(failures, { depth: 10, showHidden: true })).not.toContain(secret)
})

test('the check names both addresses of a wrong setting, and refuses what is no key', async () => {
  await signerOf({}).check()
  const other = memoryKeyService(walletKeys[1])
  await expect(signerOf({ publicKey: other.publicKey }).check()).rejects.toMatchObject({
    code: 'config/invalid',
    facts: {
      name: 'AGENT_ADDRESS',
      problem: expect.stringMatching(`is ${address}, .* ${wallets[1].address}`),
    },
  })
  for (const key of [new Uint8Array(33), new Uint8Array(65), undefined]) {
    const publicKey = async () => key as Uint8Array
    await expect(signerOf({ publicKey }).check()).rejects.toMatchObject({
      facts: { name: 'AGENT_KEY_SERVICE' },
    })
  }
})
