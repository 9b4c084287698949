import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { itemsRoot } from '@heirloom/core'
import tweetnacl from 'tweetnacl'
import { describe, expect, test } from 'vitest'
import { boundCipher, context } from './test/bound-cipher.ts'

const sealingKey = Uint8Array.from({ length: 32 }, (_, at) => at)
const settings = { documentLimit: 10_000 }
const document = '{"data":{},"metadata":{}}'

const sealed = [
  '48524c4d03000001a2800100000001018002000000300000000000007a695fbd',
  'b2315678afecb367f032d93f642f64180aa370997970c51812dc3a010c7d01b5',
  '0e0d17dc79c880030000002000febdc891e7ff437646c0ec0a13a15a44e3a42d',
  '001000000000000000000029800400000020c0884444c7b55bf23aaf21806e2a',
  '7f89ec7af365af991dcee276af46ee794975ff010000005c05d9c8fd247f1a9a',
  'ad2219fdf2f318fd2841fea1cf481d8b59c0362f69b982428a51c7210a6f8a91',
  '3090a748ffae0ac27dfb4105c4ca9f630d5a6762788cc63e72017df962425a39',
  '23263c70b5fd3cc0ad4f7813dff5822c03ecedceff020000008841b02d83cf27',
  'ebb7e535c5d4d2a81e79598728d74dbecd317c7507a980b9d53c891ddcc25394',
  '4657b20a4f73a27ac94cbc65ad690d39b023302458179c26613fbe2728274def',
  '4729fa653028c53861d5778eb1224074053bf284f36db6465c1ec1270d2ffe08',
  'f2ea35015ab742d0cec3c1ccf9b242191a5be38e397d8de8056afabfa05501af',
  '22624a62d254e24f6896ca5c384e1df7f877bf04b43c657316e95fd1fb414d7b',
  '234317dfa98295642b5095f153042942c4a5327b608d9693ba30b7941e271257',
  'c3729791cfff92e2f982a2',
]

/** The same with the root over its items, as it is sealed now. */
const sealedWithItems = [
  '48524c4d03000001c800010000002005cf927fd1c810311b5b0c3f4be74d0dda',
  '7bb4be1a425e2f7259a93284f8ab818001000000010180020000003000000000',
  '00007a695fbdb2315678afecb367f032d93f642f64180aa370997970c51812dc',
  '3a010c7d01b50e0d17dc79c880030000002000febdc891e7ff437646c0ec0a13',
  'a15a44e3a42d001000000000000000000029800400000020c0884444c7b55bf2',
  '3aaf21806e2a7f89ec7af365af991dcee276af46ee794975ff010000005c05d9',
  'c8fd247f1a9aad2219fdf2f318fd2841fea1cf481d8b59c0362f69b982428a51',
  'c7210a6f8a913090a748ffae0ac27dfb4105c4ca9f630d5a6762788cc63e7201',
  '7df962425a3923263c70b5fd3cc0ad4f7813dff5822c03ecedceff0200000088',
  '41b02d83cf27ebb7e535c5d4d2a81e79598728d74dbecd317c7507a980b9d53c',
  '891ddcc253944657b20a4f73a27ac94cbc65ad690d39b023015db2326ca0d17b',
  '5ccc372a6a8607ddfa653028c53861d5778eb1224074053bf284f36db6465c1e',
  'c1270d2ffe08f2eaab5684df75c15b14967b8f0675c35938971a61bd1a9153c8',
  'c0efe838076ea358ce1413a057a89c9f580ad8beb12a3be78f0938870823cfb4',
  'd854c6feca1b5e9617dfa98295642b5095f153042942c4a5327b608d9693ba30',
  'b7941e271257c3729791cfff92e2f982a2',
]

const sealedCompressed = [
  '48524c4d03000001a2800100000001018002000000300000000000007a695fbd',
  'b2315678afecb367f032d93f642f64180aa370997970c51812dc3a010c7d01b5',
  '0e0d17dc79c880030000002001febdc891e7ff437646c0ec0a13a15a44e3a42d',
  '00100000000000000000002b800400000020a98508f19e55b98eaf269e7e2678',
  'f721d2f90aadd1adc4022cabc1285f3d2516ff010000005c05d9c8fd247f1a9a',
  'ad2219fdf2f318fd2841fea1cf481d8be202f5cad48941e3fcf06d4abc87297a',
  '3090a748ffae0ac27dfb4105c4ca9f630d5a6762788cc63e72017df962425a39',
  '23263c70b5fd3cc0ad4f7813dff5822c03ecceffff020000008841b02d83cf27',
  'ebb7e535c5d4d2a81e79598728d74dbecd317c7507a980b9d53c891ddcc25394',
  '4657b20a4f73a27ac94cbc65ad690d39b023cf2ad265284a3105b76bbb7b0721',
  '84d5fa653028c53861d5778eb1224074053bf284f36db6465c1ec1270d2ffe08',
  'f2eae3f0ffc49f950001ddd60ca56151a8935c8c50869db752f757caf585b85f',
  'b9b96428f01b8893140330afaa7f7b3b0e8d3430f2838ad3fb6d22992b920ed1',
  '33aa26dae31c7348ec1a4781ef495ba5c18f61ec2b1182daba87cce97a6d1a5b',
  'c57f9c9fd6beb1d89e7ca39bfb',
]

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.join(''), 'hex')
const sha256 = (...parts: readonly (Uint8Array | string)[]) => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest()
}
const deriveKey = (key: Uint8Array, use: string, salt = new Uint8Array()) =>
  new Uint8Array(hkdfSync('sha256', key, salt, `heirloom/3/${use}`, 32))

/** Returns a deterministic source of bytes, derived from the number of calls. */
function fixedRandom() {
  let draws = 0
  return (length: number) => {
    draws += 1
    const block = createHash('sha512').update(`vector ${draws}`).digest()
    return Uint8Array.from(block.subarray(0, length))
  }
}

function openBox(box: Uint8Array, nonce: Uint8Array, key: Uint8Array): Buffer {
  const opened = tweetnacl.secretbox.open(box, nonce, key)
  expect(opened).not.toBe(null)
  return Buffer.from(opened ?? [])
}

describe('the committed envelope', () => {
  test('equals the result of sealing', async () => {
    const cipher = boundCipher([sealingKey], { ...settings, random: fixedRandom() })
    const result = await cipher.seal(Buffer.from(document))
    expect(
      Buffer.from(result.sealed)
        .toString('hex')
        .match(/.{1,64}/g),
    ).toEqual(sealedWithItems)
  })

  test('begins with the root over the items, and opens with and without it', async () => {
    const cipher = boundCipher([sealingKey], settings)
    const bytes = bytesOf(sealedWithItems)
    expect([bytes.readUInt16BE(9), bytes.readUInt32BE(11)]).toEqual([0x0001, 32])
    const { salt, ...opened } = await cipher.open(bytes)
    expect(Buffer.from(opened.document).toString()).toBe(document)
    const root = itemsRoot(opened.document, { salt, sha256 })?.root
    expect(`0x${bytes.toString('hex', 15, 47)}`).toBe(root)
    expect(cipher.inspect(bytes).itemsRoot).toBe(root)
    expect(cipher.inspect(bytesOf(sealed))).not.toHaveProperty('itemsRoot')
  })

  test('can be read by the documented offsets with only NaCl, HKDF, HMAC and sha256', () => {
    const bytes = bytesOf(sealed)
    expect(bytes.toString('latin1', 0, 4)).toBe('HRLM')
    expect([bytes[4], bytes.readUInt32BE(5)]).toEqual([3, 418])
    const heading = (at: number) => [bytes.readUInt16BE(at), bytes.readUInt32BE(at + 2)]
    expect(heading(9)).toEqual([0x8001, 1])
    expect(bytes[15]).toBe(1)
    expect(heading(16)).toEqual([0x8002, 48])
    expect(bytes.readBigUInt64BE(22)).toBe(BigInt(context.registry.chainId))
    expect(`0x${bytes.toString('hex', 30, 50)}`).toBe(context.registry.address.toLowerCase())
    expect(`0x${bytes.toString('hex', 50, 70)}`).toBe(context.creator.toLowerCase())
    expect(heading(70)).toEqual([0x8003, 32])
    expect([bytes[76], bytes.readUInt32BE(96)]).toEqual([0, 1_048_576])
    expect(bytes.readBigUInt64BE(100)).toBe(BigInt(bytes.length - 418))
    expect(heading(108)).toEqual([0x8004, 32])
    expect(heading(146)).toEqual([0xff01, 92])
    expect(heading(244)).toEqual([0xff02, 136])
    expect(bytes.subarray(250, 266)).toEqual(
      sha256('heirloom/3/key-id\0', sealingKey).subarray(0, 16),
    )
    const wrapKey = deriveKey(sealingKey, 'wrap', bytes.subarray(266, 282))
    const secrets = openBox(bytes.subarray(306, 386), bytes.subarray(282, 306), wrapKey)
    const dataKey = secrets.subarray(0, 32)
    expect(secrets.subarray(32)).toEqual(sha256(bytes.subarray(9, 146)))

    const tag = createHmac('sha256', deriveKey(dataKey, 'header')).update(bytes.subarray(0, 146))
    expect(bytes.subarray(386, 418)).toEqual(tag.digest())

    const privateKey = deriveKey(dataKey, 'private')
    const hidden = openBox(bytes.subarray(176, 244), bytes.subarray(152, 176), privateKey)
    expect(hidden.toString('hex', 0, 6)).toBe('800100000020')
    expect(hidden.toString('hex', 38, 44)).toBe('800200000008')
    expect(hidden.readBigUInt64BE(44)).toBe(BigInt(document.length))

    const contentHash = sha256(hidden.subarray(6, 38), document)
    expect(bytes.subarray(114, 146)).toEqual(contentHash)

    const nonce = Buffer.concat([bytes.subarray(77, 96), Buffer.of(0, 0, 0, 0, 1)])
    const opened = openBox(bytes.subarray(418), nonce, deriveKey(dataKey, 'payload'))
    expect(opened.toString()).toBe(document)
  })

  test('opens to its document and the hash of salt and document', async () => {
    const opened = await boundCipher([sealingKey], settings).open(bytesOf(sealed))
    const salt = Buffer.from(opened.salt.slice(2), 'hex')
    expect(Buffer.from(opened.document).toString()).toBe(document)
    expect(opened.contentHash).toBe(`0x${sha256(salt, document).toString('hex')}`)
  })

  test('of a compressed document still opens', async () => {
    // Not compared with a new one: another release of zstd may compress differently.
    const opened = await boundCipher([sealingKey], settings).open(bytesOf(sealedCompressed))
    expect(Buffer.from(opened.document).toString()).toBe('heirloom '.repeat(1000))
  })
})
