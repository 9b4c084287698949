import { createRequire } from 'node:module'
import type koffi from 'koffi'
import { WrongSetting } from './pkcs11-call.ts'

/** A PKCS#11 module that is loaded into this process, by the numbers of its functions. */
export type Pkcs11Module = {
  /** Calls a function. Throws `Pkcs11Error` unless it succeeds. */
  readonly call: (name: FunctionName, ...args: readonly Argument[]) => void
  /** Returns the address of bytes, which must outlive the call that gets it. */
  readonly addressOf: (bytes: Buffer) => bigint
}

/** A number, an address, or bytes whose address is passed. */
type Argument = number | bigint | Buffer | undefined

type FunctionName = keyof typeof functions

/** The place of each function in the list of the standard, and its arguments: numbers or addresses. */
const functions = {
  C_Initialize: [0, 'p'],
  C_GetSlotList: [4, 'bpp'],
  C_GetTokenInfo: [6, 'np'],
  C_OpenSession: [12, 'nnppp'],
  C_Login: [18, 'nnpn'],
  C_GetAttributeValue: [24, 'nnpn'],
  C_FindObjectsInit: [26, 'npn'],
  C_FindObjects: [27, 'npnp'],
  C_FindObjectsFinal: [28, 'n'],
  C_SignInit: [42, 'npn'],
  C_Sign: [43, 'npnpp'],
} as const

const types = { p: 'void *', n: 'ulong', b: 'uint8' } as const

/** Thrown when a function of the module fails. */
export class Pkcs11Error extends Error {
  override readonly name = 'Pkcs11Error'
  /** The return value (CK_RV). */
  readonly value: number

  constructor(functionName: string, value: number) {
    super(`${functionName} returned 0x${value.toString(16)}`)
    this.value = value
  }
}

/** Loads a module. Throws `WrongSetting` when it cannot be loaded. */
export function loadModule(path: string): Pkcs11Module {
  const ffi = loadKoffi()
  forbidDumps(ffi)
  const table = readTable(ffi, path)
  const call: Pkcs11Module['call'] = (name, ...args) => {
    const [place, letters] = functions[name]
    const pointer = table.readBigUInt64LE(8 * place)
    const proto = ffi.proto('ulong', [...letters].map(typeOf))
    const value = Number(ffi.call(pointer, proto, ...args.map((it) => it ?? null)))
    if (value !== 0) throw new Pkcs11Error(name, value)
  }
  return { call, addressOf: (bytes) => ffi.address(bytes) }
}

const typeOf = (letter: string) => types[letter as keyof typeof types]

function loadKoffi(): typeof koffi {
  try {
    return createRequire(import.meta.url)('koffi') as typeof koffi
  } catch {
    throw new WrongSetting('key', 'needs the package koffi, which is not installed beside heirloom')
  }
}

/**
 * Forbids the kernel of Linux to write this process to a file when the library crashes: the PIN would be
 * in it. Nor may other processes of this user look into it from then on.
 */
function forbidDumps(ffi: typeof koffi): void {
  if (process.platform !== 'linux') return
  const numbers = ['ulong', 'ulong', 'ulong', 'ulong']
  const setDumpable = 4
  ffi.load(null).func('prctl', 'int', ['int', ...numbers])(setDumpable, 0, 0, 0, 0)
}

/** Returns the addresses of the module's functions, which follow the version in its list. */
function readTable(ffi: typeof koffi, path: string): Buffer {
  try {
    const getList = ffi.load(path).func('C_GetFunctionList', 'ulong', ['void *'])
    const pointer = Buffer.alloc(8)
    const value = Number(getList(pointer))
    if (value !== 0) throw new Pkcs11Error('C_GetFunctionList', value)
    return Buffer.from(ffi.view(pointer.readBigUInt64LE(), 8 + 8 * 44)).subarray(8)
  } catch {
    throw new WrongSetting(
      'key',
      `names the module ${path}, which is no PKCS#11 library that loads`,
    )
  }
}
