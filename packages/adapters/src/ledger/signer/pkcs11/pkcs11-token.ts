import { type Pkcs11Place, WrongSetting } from './pkcs11-call.ts'
import { loadModule, Pkcs11Error, type Pkcs11Module } from './pkcs11-module.ts'

/** A key in an open token. */
export type TokenKey = {
  readonly publicKey: () => Uint8Array
  readonly sign: (digest: Uint8Array) => Uint8Array
}

type Session = Pkcs11Module & { readonly session: bigint }

/** The numbers of the standard that are used here. */
const numbers = {
  serialSession: 4,
  user: 1,
  ecdsa: 0x1041n,
  class: 0n,
  label: 3n,
  id: 0x102n,
  ecParameters: 0x180n,
  ecPoint: 0x181n,
  publicKey: 2n,
  privateKey: 3n,
} as const

/**
 * Opens a token and finds its key. Throws `WrongSetting` when a setting must change first, and
 * `Pkcs11Error` or any error when the token does not answer.
 */
export function openTokenKey(place: Pkcs11Place, pin: string | undefined): TokenKey {
  const module = loadModule(place.module)
  module.call('C_Initialize', undefined)
  const session = openSession(module, findSlot(module, place))
  const open = { ...module, session }
  logIn(open, pin)
  const key = findKey(open, place)
  return { publicKey: () => readPublicKey(open, place), sign: (digest) => sign(open, key, digest) }
}

/** Returns the slot of the only token that matches. */
function findSlot(module: Pkcs11Module, { token, serial }: Pkcs11Place): bigint {
  const [slot, ...others] = slotsOf(module).filter((it) => {
    const { label, number } = readToken(module, it)
    return (token ?? label) === label && (serial ?? number) === number
  })
  if (slot === undefined) throw new Error('the token is not there')
  if (others.length > 0) throw new WrongSetting('key', 'names more than one token; add its serial')
  return slot
}

/** Returns the slots that have a token. */
function slotsOf({ call }: Pkcs11Module): readonly bigint[] {
  const count = numberBytes(0n)
  call('C_GetSlotList', 1, undefined, count)
  const slots = Buffer.alloc(8 * Number(count.readBigUInt64LE()))
  if (slots.length > 0) call('C_GetSlotList', 1, slots, count)
  const length = Math.min(slots.length / 8, Number(count.readBigUInt64LE()))
  return Array.from({ length }, (_, at) => slots.readBigUInt64LE(8 * at))
}

/** Returns the label and the serial number of a token, which begin its information (CK_TOKEN_INFO). */
function readToken({ call }: Pkcs11Module, slot: bigint) {
  const info = Buffer.alloc(512)
  call('C_GetTokenInfo', slot, info)
  return { label: textOf(info.subarray(0, 32)), number: textOf(info.subarray(80, 96)) }
}

const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/[ \0]+$/, '')

function openSession({ call }: Pkcs11Module, slot: bigint): bigint {
  const handle = numberBytes(0n)
  call('C_OpenSession', slot, numbers.serialSession, undefined, undefined, handle)
  return handle.readBigUInt64LE()
}

function logIn({ call, session }: Session, pin: string | undefined): void {
  if (pin === undefined) return
  const bytes = Buffer.from(pin)
  try {
    call('C_Login', session, numbers.user, bytes, bytes.length)
  } catch (error) {
    if (!(error instanceof Pkcs11Error && error.value === alreadyLoggedIn)) throw loginError(error)
  } finally {
    bytes.fill(0)
  }
}

const alreadyLoggedIn = 0x100

/** Refusals of a PIN: wrong, invalid, of a wrong length, expired, locked. */
const pinRefusals = [0xa0, 0xa1, 0xa2, 0xa3, 0xa4]

function loginError(error: unknown): unknown {
  if (!(error instanceof Pkcs11Error && pinRefusals.includes(error.value))) return error
  const problem =
    '(or the pin-source of AGENT_KEY_SERVICE) is not the PIN that the token takes; it is not tried again, since a token locks after a few wrong ones'
  return new WrongSetting('pin', problem)
}

/** Returns the only private key that matches. */
function findKey(open: Session, place: Pkcs11Place): bigint {
  const [key, ...others] = findObjects(open, place, numbers.privateKey)
  if (key === undefined) {
    const problem = 'names no private key of its token; check object, id and the PIN'
    throw new WrongSetting('key', problem)
  }
  if (others.length > 0) throw new WrongSetting('key', 'names more than one key; add its id')
  return key
}

function findObjects(
  { call, addressOf, session }: Session,
  { object, id }: Pkcs11Place,
  kind: bigint,
): readonly bigint[] {
  const needed: [bigint, Buffer][] = [[numbers.class, numberBytes(kind)]]
  if (object !== undefined) needed.push([numbers.label, Buffer.from(object)])
  if (id !== undefined) needed.push([numbers.id, Buffer.from(id, 'hex')])
  call('C_FindObjectsInit', session, attributes(needed, addressOf), needed.length)
  const [handles, count] = [Buffer.alloc(16), numberBytes(0n)]
  call('C_FindObjects', session, handles, 2, count)
  call('C_FindObjectsFinal', session)
  const found = Number(count.readBigUInt64LE())
  return [0, 1].filter((at) => at < found).map((at) => handles.readBigUInt64LE(8 * at))
}

/** The curve secp256k1 as an object identifier in DER. */
const secp256k1 = '06052b8104000a'

/** Returns the public key of the token's pair: 65 bytes, which most modules wrap in an octet string. */
function readPublicKey(open: Session, place: Pkcs11Place): Uint8Array {
  const [object] = findObjects(open, place, numbers.publicKey)
  if (object === undefined) {
    throw new WrongSetting(
      'key',
      'names a key whose public key is not in the token; store it there',
    )
  }
  const curve = readAttribute(open, object, numbers.ecParameters).toString('hex')
  if (curve !== secp256k1) {
    throw new WrongSetting('key', 'names a key of another curve; make one of secp256k1')
  }
  const point = readAttribute(open, object, numbers.ecPoint)
  return Uint8Array.from(point.length === 67 ? point.subarray(2) : point)
}

function readAttribute(
  { call, addressOf, session }: Session,
  object: bigint,
  type: bigint,
): Buffer {
  const value = Buffer.alloc(256)
  const request = attributes([[type, value]], addressOf)
  call('C_GetAttributeValue', session, object, request, 1)
  return value.subarray(0, Number(request.readBigUInt64LE(16)))
}

/** Returns a list of attributes: the type, the address and the length of each value. */
function attributes(
  list: readonly (readonly [bigint, Buffer])[],
  addressOf: Pkcs11Module['addressOf'],
): Buffer {
  const parts = list.flatMap(([type, value]) => [type, addressOf(value), BigInt(value.length)])
  return Buffer.concat(parts.map(numberBytes))
}

function sign({ call, session }: Session, key: bigint, digest: Uint8Array): Uint8Array {
  const mechanism = Buffer.concat([numbers.ecdsa, 0n, 0n].map(numberBytes))
  call('C_SignInit', session, mechanism, key)
  const [signature, length] = [Buffer.alloc(256), numberBytes(256n)]
  call('C_Sign', session, Buffer.from(digest), digest.length, signature, length)
  return Uint8Array.from(signature.subarray(0, Number(length.readBigUInt64LE())))
}

function numberBytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
