import { createRequire } from 'node:module'
import tweetnacl from 'tweetnacl'

/**
 * Seals and opens NaCl secretboxes: XSalsa20-Poly1305, with the 16 bytes of the authenticator first.
 *
 * Both functions write into a buffer of the caller, so that a chunk needs no copy.
 */
export type Secretbox = {
  readonly name: 'sodium-native' | 'tweetnacl'
  /** Writes the box of `message` into `box`, which is 16 bytes longer. */
  readonly seal: (input: Secretbox.Input) => void
  /** Writes the plaintext of `box` into `message`; returns false, without plaintext, on failure. */
  readonly open: (input: Secretbox.Input) => boolean
}

export declare namespace Secretbox {
  type Input = {
    readonly message: Uint8Array
    readonly box: Uint8Array
    readonly nonce: Uint8Array
    readonly key: Uint8Array
  }
}

/** The two functions of sodium-native in use; the package has no types. */
type Sodium = {
  crypto_secretbox_easy(c: Uint8Array, m: Uint8Array, n: Uint8Array, k: Uint8Array): void
  crypto_secretbox_open_easy(m: Uint8Array, c: Uint8Array, n: Uint8Array, k: Uint8Array): boolean
}

/** Returns the reference secretbox, in JavaScript. */
export const tweetnaclSecretbox = (): Secretbox => ({
  name: 'tweetnacl',
  seal({ message, box, nonce, key }) {
    box.set(tweetnacl.secretbox(message, nonce, key))
  },
  open({ message, box, nonce, key }) {
    const opened = tweetnacl.secretbox.open(box, nonce, key)
    if (!opened) return false
    message.set(opened)
    return true
  },
})

/** Returns the native secretbox, or `undefined` where its binary does not load. */
export function sodiumSecretbox(): Secretbox | undefined {
  const sodium = loadSodium()
  return (
    sodium && {
      name: 'sodium-native',
      seal: ({ message, box, nonce, key }) =>
        sodium.crypto_secretbox_easy(box, message, nonce, key),
      open: ({ message, box, nonce, key }) =>
        sodium.crypto_secretbox_open_easy(message, box, nonce, key),
    }
  )
}

/** Loads the fastest secretbox of this machine; all return the same bytes. */
export const loadSecretbox = (): Secretbox => sodiumSecretbox() ?? tweetnaclSecretbox()

/** Returns the secretbox of a name; the JavaScript one where the native one does not load. */
export const secretboxNamed = (name: Secretbox['name']): Secretbox =>
  name === 'tweetnacl' ? tweetnaclSecretbox() : loadSecretbox()

function loadSodium(): Sodium | undefined {
  try {
    return createRequire(import.meta.url)('sodium-native')
  } catch {
    // An optional dependency: absent, or without a binary for this platform.
    return undefined
  }
}
