/** A key in a token, by the attributes of its URI (RFC 7512), and the module that reaches it. */
export type Pkcs11Place = {
  /** The path of the PKCS#11 module, a shared library. */
  readonly module: string
  /** The label of the token. */
  readonly token?: string | undefined
  /** The serial number of the token. */
  readonly serial?: string | undefined
  /** The label of the key. */
  readonly object?: string | undefined
  /** The id of the key, in hexadecimal. */
  readonly id?: string | undefined
}

/** A call of the process of a PKCS#11 module. */
export type Pkcs11Call =
  | { readonly kind: 'open'; readonly place: Pkcs11Place; readonly pin: string | undefined }
  | { readonly kind: 'public-key' }
  | { readonly kind: 'sign'; readonly digest: Uint8Array }

/** Its answer. */
export type Pkcs11Answer =
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  | { readonly kind: 'down'; readonly reason: string }
  /** A setting must change before it is worth asking again. */
  | { readonly kind: 'wrong'; readonly setting: 'key' | 'pin'; readonly problem: string }

/** Thrown when a setting must change before a token can be used. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting'
  readonly setting: 'key' | 'pin'

  constructor(setting: 'key' | 'pin', problem: string) {
    super(problem)
    this.setting = setting
  }
}
