import type { MintItem } from '@heirloom/adapters/internal/acts'
import type { Actor as LedgerActor } from '@heirloom/adapters/internal/wallet'
import type { Idempotency, TokenId } from '@heirloom/core'
import { bigintJson } from '../api/bigint-json.ts'
import type { SealBody } from './seal-memory.ts'
import type { ActName, ActOptions } from './wallet.ts'

/** The account that acts, and the server that seals for it and knows which memories are copies. */
export type Actor = LedgerActor & {
  /** Lets the server seal a memory; returns the mint that publishes it. */
  readonly seal: (request: SealBody, options: ActOptions) => Promise<MintItem>
  /**
   * Refuses a token that shows a copied memory, which nobody can open.
   *
   * @throws `listing/copied`
   */
  readonly refuseCopied: (tokenId: TokenId) => Promise<void>
}

/** Returns the identity of an act, if the caller gave it a key. */
export function idempotencyOf(
  { idempotencyKey: key }: ActOptions,
  name: ActName,
  input: unknown,
): Idempotency | undefined {
  if (key === undefined) return undefined
  return { key, fingerprint: JSON.stringify([name, input], bigintJson) }
}
