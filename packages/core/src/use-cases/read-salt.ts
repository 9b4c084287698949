import type { Account } from '../domain/account.ts'
import type { Digest, Salt } from '../domain/hash.ts'
import type { Ports } from '../ports/ports.ts'
import { readSealed } from './read-sealed.ts'

/** The failures of `readSalt`. */
export const readSaltFailures = [
  'access/copied',
  'blob/corrupt',
  'blob/not-found',
  'blob/unavailable',
  'bundle/unreadable',
] as const

/**
 * Reads the salt of a memory that was sealed for a creator, who may not have minted it yet. The salt
 * is stored in the sealed bundle alone. The caller has verified with `proveCreator` that the creator
 * asks for it.
 *
 * @throws `access/copied` when it was sealed for somebody else, `blob/not-found`, `blob/corrupt`,
 * `blob/unavailable`, `bundle/unreadable`
 */
export async function readSalt(
  { blobStore, cipher, ledger }: Pick<Ports, 'blobStore' | 'cipher' | 'ledger'>,
  { digest, creator }: readSalt.Input,
): Promise<Salt> {
  const context = { registry: ledger.registry, creator }
  const sealed = await readSealed({ blobStore, cipher }, { digest, context })
  return (await cipher.reader(sealed, context, blobStore)).salt
}

export declare namespace readSalt {
  type Input = {
    /** The sealed bundle. */
    readonly digest: Digest
    /** The account that it was sealed for. */
    readonly creator: Account
  }
}
