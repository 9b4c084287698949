import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
} from 'node:crypto'
import {
  account,
  type Cipher,
  type CommittedExcerpt,
  chooseExcerpts,
  Failure,
  type Hash,
  hash,
  itemsRoot,
  refuseCopy,
  type Salt,
  type Seal,
  type SealContext,
  type SealOptions,
  salt,
  wholeDocument,
} from '@heirloom/core'
import { getAddress } from 'viem'

/** A source of bytes: every call returns `length` new ones. */
export type RandomBytes = (length: number) => Uint8Array

const algorithm = 'aes-256-gcm'
// Node takes five times as long for bytes, of which it makes such a key at each use.
const key = createSecretKey(createHash('sha256').update('the key of every memory cipher').digest())
const magic = Buffer.from('heir')
const lengths = { address: 20, bound: 92, content: 84, headTag: 32, nonce: 12, salt: 32, tag: 16 }

/**
 * Creates a cipher with predictable randomness, so that a test can be repeated. All these ciphers
 * have the same key, so each opens what another sealed, in the same context.
 */
export function memoryCipher({ random = seededBytes(0) }: memoryCipher.Options = {}): Cipher {
  const open: Cipher['open'] = async (sealed, context) => {
    const salted = decrypt(sealed)
    refuseCopy(readHead(sealed).context, context)
    return {
      document: Uint8Array.from(salted.subarray(lengths.salt)),
      salt: salt(`0x${salted.toString('hex', 0, lengths.salt)}`),
      contentHash: sha256(salted),
    }
  }
  return {
    seal: async (document, context, { salt: given, excerpts = [], savedBy, beforeStoring }) => {
      const salted = Buffer.concat([saltBytes(given, random), document])
      const contentHash = sha256(salted)
      const own = salt(`0x${salted.toString('hex', 0, lengths.salt)}`)
      const items = itemsRoot(document, { salt: own, sha256: digestOf })
      const chosen = chooseExcerpts(items, excerpts)
      const shown = shownOf({ root: items?.root, excerpts: chosen, savedBy })
      const body = lengths.nonce + lengths.tag + salted.length
      const head = writeHead({ context, contentHash, shown, body })
      const sealed = Buffer.concat([head, encrypt(head, salted, random(lengths.nonce))])
      await beforeStoring?.(sealed.length)
      return { sealed: Uint8Array.from(sealed), headLength: head.length, contentHash }
    },
    open,
    reader: async (...sealed) => {
      const { document, ...opened } = await open(...sealed)
      return { ...wholeDocument(document), ...opened }
    },
    inspect: readHead,
    sealedLength: async (head, context) => sealedLength(head, context),
  }
}

const saltBytes = (salt: Salt | undefined, random: RandomBytes): Uint8Array =>
  salt === undefined ? random(lengths.salt) : Buffer.from(salt.slice(2), 'hex')

export declare namespace memoryCipher {
  type Options = { readonly random?: RandomBytes }
}

/** Returns a source of bytes that repeats itself for the same seed. */
export function seededBytes(seed: number): RandomBytes {
  let calls = 0
  return (length) =>
    createHash('shake256', { outputLength: length }).update(`${seed}:${calls++}`).digest()
}

/** The members of a seal that its maker shows, and who saved it, which this cipher hides from nobody. */
type Shown = Pick<Seal, 'itemsRoot' | 'excerpts' | 'savedBy'>

type ShownInput = Pick<SealOptions, 'savedBy'> & {
  readonly root: Hash | undefined
  readonly excerpts: readonly CommittedExcerpt[]
}

const shownOf = ({ root, excerpts, savedBy }: ShownInput): Shown => ({
  ...(root !== undefined && { itemsRoot: root }),
  ...(excerpts.length > 0 && { excerpts }),
  ...(savedBy !== undefined && { savedBy }),
})

type Head = Pick<Seal, 'context' | 'contentHash'> & {
  readonly shown: Shown
  /** The number of bytes after the head. */
  readonly body: number
}

/** Writes a head: 92 bytes, what is shown as JSON after its length, and a tag. */
function writeHead({ context: { registry, creator }, contentHash, shown, body }: Head): Buffer {
  const bound = Buffer.alloc(lengths.bound)
  bound.set(magic)
  bound.writeBigUInt64BE(BigInt(registry.chainId), 4)
  bound.write(registry.address.slice(2), 12, 'hex')
  bound.write(creator.slice(2), 32, 'hex')
  bound.write(contentHash.slice(2), 52, 'hex')
  bound.writeBigUInt64BE(BigInt(body), lengths.content)
  const text = Buffer.from(JSON.stringify(shown))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  const head = Buffer.concat([bound, length, text])
  return Buffer.concat([head, tagOf(head)])
}

const tagOf = (head: Buffer): Buffer => createHmac('sha256', key).update(head).digest()

/** Returns the head of sealed bytes; `undefined` when they are no sealed bundle. */
function headOf(sealed: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes.length < lengths.bound + 4 || !magic.equals(bytes.subarray(0, magic.length))) {
    return undefined
  }
  const end = lengths.bound + 4 + bytes.readUInt32BE(lengths.bound) + lengths.headTag
  return end > bytes.length ? undefined : bytes.subarray(0, end)
}

function readHead(sealed: Uint8Array): Seal {
  const head = headOf(sealed)
  if (head === undefined) throw unreadable('it is not a sealed bundle')
  const accountAt = (start: number) =>
    account(getAddress(`0x${head.toString('hex', start, start + lengths.address)}`))
  const chainId = Number(head.readBigUInt64BE(4))
  const tagged = head.subarray(0, -lengths.headTag)
  const isAuthentic = tagOf(tagged).equals(head.subarray(tagged.length))
  const { savedBy, ...shown } = readShown(tagged.subarray(lengths.bound + 4))
  return {
    context: { registry: { chainId, address: accountAt(12) }, creator: accountAt(32) },
    contentHash: hash(`0x${head.toString('hex', 52, lengths.content)}`),
    packs: [],
    ...shown,
    ...(isAuthentic && savedBy !== undefined && { savedBy }),
    isAuthentic,
  }
}

function sealedLength(start: Uint8Array, context: SealContext): number {
  const seal = readHead(start)
  const head = headOf(start) as Buffer
  const length = head.length + Number(head.readBigUInt64BE(lengths.content))
  if (start.length === length) return length
  if (!seal.isAuthentic) throw unreadable('its head was changed')
  refuseCopy(seal.context, context)
  return length
}

function readShown(text: Buffer): Shown {
  try {
    return JSON.parse(text.toString())
  } catch (cause) {
    throw unreadable('its head is malformed', cause)
  }
}

const unreadable = (problem: string, cause?: unknown) =>
  new Failure('bundle/unreadable', { problem }, { cause })

function encrypt(head: Uint8Array, text: Uint8Array, nonce: Uint8Array): Uint8Array {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(head)
  const hidden = [cipher.update(text), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...hidden])
}

function decrypt(sealed: Uint8Array): Buffer {
  const { nonce, tag } = lengths
  const head = headOf(sealed)
  const body = sealed.subarray(head?.length ?? 0)
  if (head === undefined || body.length < nonce + tag + lengths.salt) {
    throw unreadable('it is too short')
  }
  const decipher = createDecipheriv(algorithm, key, body.subarray(0, nonce))
  decipher.setAAD(head)
  decipher.setAuthTag(body.subarray(nonce, nonce + tag))
  try {
    return Buffer.concat([decipher.update(body.subarray(nonce + tag)), decipher.final()])
  } catch (cause) {
    throw unreadable('it was changed', cause)
  }
}

const digestOf = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

function sha256(bytes: Uint8Array): Hash {
  return hash(`0x${createHash('sha256').update(bytes).digest('hex')}`)
}
