import { Keystore } from 'ox'

/** Returns the text of a keystore file with a weak, fast key derivation. */
export function keystoreText(
  key: `0x${string}`,
  { password, kdf }: { readonly password: string; readonly kdf: 'scrypt' | 'pbkdf2' },
): string {
  const options = { password, iterations: 2, n: 2 }
  const [derived, derivation] =
    kdf === 'scrypt' ? Keystore.scrypt(options) : Keystore.pbkdf2(options)
  return JSON.stringify(Keystore.encrypt(key, derived, derivation))
}
