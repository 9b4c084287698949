import { createHash, timingSafeEqual } from 'node:crypto'
import type { ApiKey } from './api-key.ts'
import type { KeptKey } from './key-file.ts'

/** The API keys of a server. */
export type KeyRing = {
  /** Whether there are any; without them everything is open to everybody. */
  readonly isRequired: boolean
  /** Returns the key that a text is. */
  readonly find: (text: string) => ApiKey | undefined
  /** Puts the keys of a file in the place of those it had before. */
  readonly replace: (kept: readonly KeptKey[]) => void
  /** Returns every key. */
  readonly all: () => readonly ApiKey[]
}

/** Returns the hexadecimal digits of the digest that a key is kept as. */
export const digestOfKey = (text: string): string => digestOf(text).toString('hex')

const digestOf = (text: string) => createHash('sha256').update(text).digest()

export declare namespace keyRing {
  type Options = {
    /** Keys without a name, which may do everything. */
    readonly plain: readonly string[]
    /** Those of a file; absent where there is none. */
    readonly kept?: readonly KeptKey[] | undefined
  }
}

/**
 * Returns a ring of keys. A text is compared by its digest with all of them each time, so that the
 * time taken tells nothing. A file without keys still lets nobody in.
 */
export function keyRing({ plain, kept }: keyRing.Options): KeyRing {
  const unnamed = plain.map((text, place): Known => {
    return { digest: digestOf(text), key: { name: `env-${place + 1}`, scope: 'admin' } }
  })
  let named = (kept ?? []).map(known)
  const all = () => [...unnamed, ...named]
  return {
    isRequired: plain.length > 0 || kept !== undefined,
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

function known({ sha256, ...key }: KeptKey): Known {
  return { digest: Buffer.from(sha256, 'hex'), key }
}
