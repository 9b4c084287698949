import { createHash } from 'node:crypto'
import tweetnacl from 'tweetnacl'
import { describe, expect, test } from 'vitest'
import { naclCipher } from './nacl.ts'

const masterKey = Uint8Array.from({ length: 32 }, (_, at) => at)
const ring = { keys: [masterKey], documentLimit: 10_000 }
const document = '{"data":{},"metadata":{}}'

const sealed = [
  '48524c4d02001f6409ebf55d4940febdc891e7ff437646c0ec0a13a15a44e3a4',
  '2d897bcaa5d405d9c8fd247f1a9aad2219fdf2f318fd2841fe50142a14790003',
  '74ea49e738b0e468572f8d73b31c3c8e3e8bdf8c300e8ec717e53520352f29c2',
  'bb0b31acc345bf4eb930d9f6e927db78d655b82c5a0ba3b262166af63fe9a8f1',
  '54a44c5b0e3331be0fdde0a3c6ce424b429159ae897c3cc15c990de9516593ee',
  '5dab556eb4b663cbd31ea773cfcbd74f1d7b16ca15f426ab6c98616c3f474553',
  '7cdaed98aea677827c2e500228811bbb20ec7b1cc6179e2b5dd5',
]

const sealedCompressed = [
  '48524c4d02011f6409ebf55d4940febdc891e7ff437646c0ec0a13a15a44e3a4',
  '2d897bcaa5d405d9c8fd247f1a9aad2219fdf2f318fd2841fe1ab1c04f1ff182',
  '6b808644922942e80a2f8d73b31c3c8e3e8bdf8c300e8ec717e53520352f29c2',
  'bb0b31acc345bf4eb930d9f6e927db78d655b82c5a0ba3b262166af63fe9a8f1',
  '54a44c5b0e3331be0fdde0a3c6ce426873cacff8b1446d3b4e0ac06a527592c6',
  'e96a8a7258da5a1170db826545b61d37ac8c0693b02b0e960042a5e75d9f202f',
  'ff897ad332d25e2d465565466f850ca32ee77748a635b8d35c91e5',
]

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.join(''), 'hex')
const sha256 = (...parts: readonly (Uint8Array | string)[]) => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest()
}

/** Draws bytes that follow from the count of draws, in place of chance. */
function fixedRandom() {
  let draws = 0
  return (length: number) => {
    draws += 1
    const block = createHash('sha512').update(`vector ${draws}`).digest()
    return Uint8Array.from(block.subarray(0, length))
  }
}

describe('the committed envelope', () => {
  test('is what sealing makes today', async () => {
    const made = await naclCipher({ ...ring, random: fixedRandom() }).seal(Buffer.from(document))
    expect(
      Buffer.from(made.sealed)
        .toString('hex')
        .match(/.{1,64}/g),
    ).toEqual(sealed)
  })

  test('reads by the documented offsets with nothing but NaCl and sha256', () => {
    const bytes = bytesOf(sealed)
    expect(bytes.toString('latin1', 0, 4)).toBe('HRLM')
    expect([bytes[4], bytes[5]]).toEqual([2, 0])
    expect(bytes.subarray(6, 14)).toEqual(sha256('heirloom/v2/key-id\0', masterKey).subarray(0, 8))
    const wrapped = tweetnacl.secretbox.open(
      bytes.subarray(57, 177),
      bytes.subarray(14, 38),
      masterKey,
    )
    const secrets = Buffer.from(wrapped ?? [])
    expect(secrets.readBigUInt64BE(64)).toBe(BigInt(document.length))
    expect(secrets.subarray(72)).toEqual(sha256(bytes.subarray(0, 57)))

    const nonce = Buffer.concat([bytes.subarray(38, 57), Buffer.of(0, 0, 0, 0, 1)])
    const opened = tweetnacl.secretbox.open(bytes.subarray(177), nonce, secrets.subarray(0, 32))
    expect(Buffer.from(opened ?? []).toString()).toBe(document)
  })

  test('opens with the hash of its wrapped salt and its document', async () => {
    const opened = await naclCipher(ring).open(bytesOf(sealed))
    const salt = Buffer.from(opened.salt.slice(2), 'hex')
    expect(Buffer.from(opened.document).toString()).toBe(document)
    expect(opened.contentHash).toBe(`0x${sha256(salt, document).toString('hex')}`)
    expect(opened.contentHash).toBe(
      '0xc0884444c7b55bf23aaf21806e2a7f89ec7af365af991dcee276af46ee794975',
    )
  })

  test('of a compressed document is still read', async () => {
    // Not made anew: another release of zstd may make another frame of the same document.
    const opened = await naclCipher(ring).open(bytesOf(sealedCompressed))
    expect(Buffer.from(opened.document).toString()).toBe('heirloom '.repeat(1000))
  })
})
