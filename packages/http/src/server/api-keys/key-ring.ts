import { createHash, timingSafeEqual } from 'node:crypto'
import type { Budget } from '@heirloom/core'
import { type OpenAct, openableActs } from '../../config/read-access.ts'

/** The scopes of API keys; each one includes those before it. */
export const scopes = ['read', 'write', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** The name, scope and budget of an API key; only its holder knows the key itself. */
export type ApiKey = Budget & {
  readonly scope: Scope
  /** The tenant that it acts for; absent for the server's own wallet. */
  readonly tenant?: string | undefined
  /** The owner of its private names, where that is not its name. */
  readonly principal?: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key of the request, if the server knows it. */
    caller: ApiKey | undefined
  }
}

/** Returns whether the scope of a key includes another scope. */
export const allows = ({ scope }: Pick<ApiKey, 'scope'>, needed: Scope): boolean =>
  scopes.indexOf(scope) >= scopes.indexOf(needed)

/** A stored key, with the SHA-256 digest of the key itself in hexadecimal. */
export type StoredKey = ApiKey & { readonly sha256: string }

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

/** The acts of visitors that a server may let anyone do without an API key. */
export type KeylessAct = 'snapshot' | OpenAct

/** Returns the acts that need no API key: all without keys, otherwise those that are open. */
export function keylessActs(
  { isRequired }: Pick<KeyRing, 'isRequired'>,
  openActs: readonly OpenAct[] = [],
): readonly KeylessAct[] {
  return isRequired ? openActs : ['snapshot', ...openableActs]
}
