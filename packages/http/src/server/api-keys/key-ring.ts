import { createHash, timingSafeEqual } from 'node:crypto'
import type { ApiKey } from './api-key.ts'
import type { StoredKey } from './key-file.ts'

/** The API keys of a server. */
export type KeyRing = {
  /** Whether requests need a key; without keys every route is open. */
  readonly isRequired: boolean
  /** Finds the key of a text. */
  readonly find: (text: string) => ApiKey | undefined
  /** Replaces the keys of the file. */
  readonly replace: (stored: readonly StoredKey[]) => void
  /** Returns every key. */
  readonly all: () => readonly ApiKey[]
}

/** Returns the SHA-256 digest that a key is stored as, in hexadecimal. */
export const keyDigest = (text: string): string => digestOf(text).toString('hex')

const digestOf = (text: string) => createHash('sha256').update(text).digest()

export declare namespace keyRing {
  type Options = {
    /** Keys without a name, which have the scope `admin`. */
    readonly plain: readonly string[]
    /** The keys of the key file; absent without one. */
    readonly stored?: readonly StoredKey[] | undefined
  }
}

/**
 * Returns a ring of keys. It always compares the digest of a text with all keys, so that the time
 * reveals nothing. With an empty key file it requires a key and accepts none.
 */
export function keyRing({ plain, stored }: keyRing.Options): KeyRing {
  const unnamed = plain.map((text, index): Known => {
    const digest = digestOf(text)
    // Its name says its place in the list, which another key may have after the next start.
    const principal = `env-${digest.toString('hex', 0, 16)}`
    return { digest, key: { name: `env-${index + 1}`, scope: 'admin', principal } }
  })
  let named = (stored ?? []).map(known)
  const all = () => [...unnamed, ...named]
  return {
    isRequired: plain.length > 0 || stored !== undefined,
    find: (text) => {
      const given = digestOf(text)
      const [match] = all().filter(({ digest }) => timingSafeEqual(digest, given))
      return match?.key
    },
    replace: (next) => {
      named = next.map(known)
    },
    all: () => all().map(({ key }) => key),
  }
}

type Known = { readonly digest: Buffer; readonly key: ApiKey }

function known({ sha256, ...key }: StoredKey): Known {
  const digest = Buffer.from(sha256, 'hex')
  // What its tenant's wallet spends, and what the server's own spends for it on relayed acts.
  return { digest, key: key.tenant === undefined ? key : { ...key, spansWallets: true } }
}
