import { createHash, randomBytes } from 'node:crypto'
import { type Cipher, Failure, hash, salt } from '@heirloom/core'
import { openChunks, sealChunks, sealedLength } from './chunks.ts'
import { keyIdOf, readHead, readSecrets, sizes, writeClear, writeSecrets } from './envelope.ts'
import { type KeyRing, keyRing } from './key-ring.ts'
import { pack, unpack } from './payload.ts'
import { loadSecretbox, type Secretbox } from './secretbox.ts'
import { unreadable } from './unreadable.ts'

/**
 * Seals documents under a ring of master keys: the first seals, all open. Each bundle has its own
 * random data key, wrapped in its envelope, so a bundle needs nothing but the ring to be read.
 *
 * @throws `value/invalid` when the ring is empty or a key is not 32 bytes;
 * sealing: `bundle/malformed` when the document is longer than the limit
 *
 * @example
 * const cipher = naclCipher({ keys: [randomBytes(32)], documentLimit: 64 * 1024 * 1024 })
 * const { sealed, contentHash } = await cipher.seal(document)
 */
export function naclCipher({
  keys,
  documentLimit,
  secretbox = loadSecretbox(),
  random = randomBytes,
}: naclCipher.Input): Cipher {
  const ring = keyRing(keys)
  return {
    seal: (document) => seal({ ring, documentLimit, secretbox, random }, document),
    open: (sealed) => open({ ring, documentLimit, secretbox }, sealed),
  }
}

export declare namespace naclCipher {
  type Input = {
    /** Master keys of 32 bytes each. */
    readonly keys: readonly Uint8Array[]
    /** The longest document that is sealed or opened, in bytes. */
    readonly documentLimit: number
    /** Who does the arithmetic; the fastest that loads here by default. */
    readonly secretbox?: Secretbox
    /** Draws random bytes, as many as asked for; the system's source by default. */
    readonly random?: (length: number) => Uint8Array
  }
}

/** Returns the name of a master key that envelopes show, in hexadecimal; it does not give the key away. */
export const masterKeyId = (key: Uint8Array): string => Buffer.from(keyIdOf(key)).toString('hex')

type Parts = Required<Omit<naclCipher.Input, 'keys'>> & { readonly ring: KeyRing }

async function seal(
  { ring, documentLimit, secretbox, random }: Parts,
  document: Uint8Array,
): Promise<Awaited<ReturnType<Cipher['seal']>>> {
  if (document.length > documentLimit) {
    throw new Failure('bundle/malformed', { problem: `it is longer than ${documentLimit} bytes` })
  }
  const { payload, compressed } = await pack(document)
  const [dataKey, saltBytes] = [random(sizes.key), random(sizes.salt)]
  const [wrapNonce, chunkPrefix] = [random(sizes.nonce), random(sizes.chunkPrefix)]

  const clear = writeClear({ compressed, keyId: ring.first.id, wrapNonce, chunkPrefix })
  const secrets = writeSecrets(clear, {
    dataKey,
    salt: saltBytes,
    documentLength: document.length,
  })
  const sealed = new Uint8Array(sizes.head + sealedLength(payload.length))
  sealed.set(clear)
  const box = sealed.subarray(sizes.clear, sizes.head)
  secretbox.seal({ message: secrets, box, nonce: wrapNonce, key: ring.first.key })
  const stream = { secretbox, dataKey, chunkPrefix }
  await sealChunks(stream, { payload, sealed: sealed.subarray(sizes.head) })

  const contentHash = contentHashOf(saltBytes, document)
  for (const secret of [dataKey, secrets]) secret.fill(0)
  return { sealed, contentHash }
}

async function open(
  { ring, documentLimit, secretbox }: Omit<Parts, 'random'>,
  sealed: Uint8Array,
): Promise<Awaited<ReturnType<Cipher['open']>>> {
  const { compressed, keyId, wrapNonce, chunkPrefix } = readHead(sealed)
  const key = ring.find(keyId)
  if (!key) throw unreadable('it was sealed under a key that is not in the key ring')

  const message = Buffer.alloc(sizes.secrets)
  try {
    const box = sealed.subarray(sizes.clear, sizes.head)
    const opened = secretbox.open({ message, box, nonce: wrapNonce, key })
    if (!opened) throw unreadable('it was altered')
    const secrets = readSecrets(sealed.subarray(0, sizes.clear), message)
    const { dataKey, documentLength: length } = secrets
    if (length > documentLimit) throw unreadable(`it holds more than ${documentLimit} bytes`)

    const stream = { secretbox, dataKey, chunkPrefix }
    const payload = await openChunks(stream, sealed.subarray(sizes.head))
    const document = await unpack({ payload, compressed, length })
    return {
      document,
      salt: salt(hex(secrets.salt)),
      contentHash: contentHashOf(secrets.salt, document),
    }
  } finally {
    message.fill(0)
  }
}

const contentHashOf = (saltBytes: Uint8Array, document: Uint8Array) =>
  hash(`0x${createHash('sha256').update(saltBytes).update(document).digest('hex')}`)

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
