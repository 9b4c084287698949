import { createHash, createHmac, hkdfSync } from 'node:crypto'
import tweetnacl from 'tweetnacl'
import { describe, expect, test } from 'vitest'
import { boundCipher, context } from './test/bound-cipher.ts'

const sealingKey = Uint8Array.from({ length: 32 }, (_, at) => at)
const settings = { documentLimit: 10_000 }
const document = '{"data":{},"metadata":{}}'

const sealed = [
  '48524c4d030000017c800100000001018002000000300000000000007a695fbd',
  'b2315678afecb367f032d93f642f64180aa370997970c51812dc3a010c7d01b5',
  '0e0d17dc79c880030000002000febdc891e7ff437646c0ec0a13a15a44e3a42d',
  '001000000000000000000029ff010000005c05d9c8fd247f1a9aad2219fdf2f3',
  '18fd2841fea1cf481d8b59c0362f69b982428a51c7210a6f8a913090a748ffae',
  '0ac27dfb4105c4ca9f630d5a6762788cc63e72017df962425a3923263c70b5fd',
  '3cc0ad4f7813dff5822c03ecedceff020000008841b02d83cf27ebb7e535c5d4',
  'd2a81e79598728d74dbecd317c7507a980b9d53c891ddcc253944657b20a4f73',
  'a27ac94cbc65ad690d39b0239d84aa162f11855ed833d141fa6df278fa653028',
  'c53861d5778eb1224074053bf284f36db6465c1ec1270d2ffe08f2ea1eccae39',
  'c2807db2b2e77d06a492f9670ac6cd6860b26c9545649edab005aded6a9da4a6',
  'ce2ac29ca60b6339a79d99a2ad50d0f975d20dd94deb44aae68e3e4017dfa982',
  '95642b5095f153042942c4a5327b608d9693ba30b7941e271257c3729791cfff',
  '92e2f982a2',
]

const sealedCompressed = [
  '48524c4d030000017c800100000001018002000000300000000000007a695fbd',
  'b2315678afecb367f032d93f642f64180aa370997970c51812dc3a010c7d01b5',
  '0e0d17dc79c880030000002001febdc891e7ff437646c0ec0a13a15a44e3a42d',
  '00100000000000000000002bff010000005c05d9c8fd247f1a9aad2219fdf2f3',
  '18fd2841fea1cf481d8be202f5cad48941e3fcf06d4abc87297a3090a748ffae',
  '0ac27dfb4105c4ca9f630d5a6762788cc63e72017df962425a3923263c70b5fd',
  '3cc0ad4f7813dff5822c03ecceffff020000008841b02d83cf27ebb7e535c5d4',
  'd2a81e79598728d74dbecd317c7507a980b9d53c891ddcc253944657b20a4f73',
  'a27ac94cbc65ad690d39b023b6293b80ab6a53ce5dae2fbdc083fec1fa653028',
  'c53861d5778eb1224074053bf284f36db6465c1ec1270d2ffe08f2eac302f919',
  'c62573d52cee330b1ffe28cd03027d85af1e623fe19708a9365466996e6cbb56',
  '209d985cd5640aa7e47dafa90042d3c81494ba6ddfde45e1a8752f8d26dae31c',
  '7348ec1a4781ef495ba5c18f61ec2b1182daba87cce97a6d1a5bc57f9c9fd6be',
  'b1d89e7ca39bfb',
]

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.join(''), 'hex')
const sha256 = (...parts: readonly (Uint8Array | string)[]) => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest()
}
const derived = (key: Uint8Array, use: string, salt = new Uint8Array()) =>
  new Uint8Array(hkdfSync('sha256', key, salt, `heirloom/3/${use}`, 32))

/** Draws bytes that follow from the count of draws, in place of chance. */
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
  test('is what sealing makes today', async () => {
    const cipher = boundCipher([sealingKey], { ...settings, random: fixedRandom() })
    const made = await cipher.seal(Buffer.from(document))
    expect(
      Buffer.from(made.sealed)
        .toString('hex')
        .match(/.{1,64}/g),
    ).toEqual(sealed)
  })

  test('reads by the documented offsets with nothing but NaCl, HKDF, HMAC and sha256', () => {
    const bytes = bytesOf(sealed)
    expect(bytes.toString('latin1', 0, 4)).toBe('HRLM')
    expect([bytes[4], bytes.readUInt32BE(5)]).toEqual([3, 380])
    const heading = (at: number) => [bytes.readUInt16BE(at), bytes.readUInt32BE(at + 2)]
    expect(heading(9)).toEqual([0x8001, 1])
    expect(bytes[15]).toBe(1)
    expect(heading(16)).toEqual([0x8002, 48])
    expect(bytes.readBigUInt64BE(22)).toBe(BigInt(context.registry.chainId))
    expect(`0x${bytes.toString('hex', 30, 50)}`).toBe(context.registry.address.toLowerCase())
    expect(`0x${bytes.toString('hex', 50, 70)}`).toBe(context.creator.toLowerCase())
    expect(heading(70)).toEqual([0x8003, 32])
    expect([bytes[76], bytes.readUInt32BE(96)]).toEqual([0, 1_048_576])
    expect(bytes.readBigUInt64BE(100)).toBe(BigInt(bytes.length - 380))
    expect(heading(108)).toEqual([0xff01, 92])
    expect(heading(206)).toEqual([0xff02, 136])
    expect(bytes.subarray(212, 228)).toEqual(
      sha256('heirloom/3/key-id\0', sealingKey).subarray(0, 16),
    )
    const wrapKey = derived(sealingKey, 'wrap', bytes.subarray(228, 244))
    const secrets = openBox(bytes.subarray(268, 348), bytes.subarray(244, 268), wrapKey)
    const dataKey = secrets.subarray(0, 32)
    expect(secrets.subarray(32)).toEqual(sha256(bytes.subarray(9, 108)))

    const tag = createHmac('sha256', derived(dataKey, 'header')).update(bytes.subarray(0, 108))
    expect(bytes.subarray(348, 380)).toEqual(tag.digest())

    const privateKey = derived(dataKey, 'private')
    const hidden = openBox(bytes.subarray(138, 206), bytes.subarray(114, 138), privateKey)
    expect(hidden.toString('hex', 0, 6)).toBe('800100000020')
    expect(hidden.toString('hex', 38, 44)).toBe('800200000008')
    expect(hidden.readBigUInt64BE(44)).toBe(BigInt(document.length))

    const nonce = Buffer.concat([bytes.subarray(77, 96), Buffer.of(0, 0, 0, 0, 1)])
    const opened = openBox(bytes.subarray(380), nonce, derived(dataKey, 'payload'))
    expect(opened.toString()).toBe(document)
  })

  test('opens with the hash of its private salt and its document', async () => {
    const opened = await boundCipher([sealingKey], settings).open(bytesOf(sealed))
    const salt = Buffer.from(opened.salt.slice(2), 'hex')
    expect(Buffer.from(opened.document).toString()).toBe(document)
    expect(opened.contentHash).toBe(`0x${sha256(salt, document).toString('hex')}`)
  })

  test('of a compressed document is still read', async () => {
    // Not made anew: another release of zstd may make another frame of the same document.
    const opened = await boundCipher([sealingKey], settings).open(bytesOf(sealedCompressed))
    expect(Buffer.from(opened.document).toString()).toBe('heirloom '.repeat(1000))
  })
})
