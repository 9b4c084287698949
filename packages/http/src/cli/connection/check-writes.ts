import { type Account, account, card, Failure, itemsOf, partCard, tokenId } from '@heirloom/core'
import type { SnapshotOptions } from '../../client/requests.ts'
import type { Writer } from './writer.ts'

/** The server, and your own wallet if that signs. */
type Reader = Pick<Writer, 'client' | 'wallet'> & { readonly signal: AbortSignal }

/**
 * Requires that the wallet which would list a token owns it, where the server shows its wallet.
 *
 * @throws `listing/not-owner`, `token/not-found`
 */
export async function requireOwner({ client, wallet, signal }: Reader, id: string): Promise<void> {
  const { token } = await client.lineage(id, {}, { signal })
  const { owner } = token
  const signer =
    wallet?.address ?? (await client.wallet({ signal }).catch(() => undefined))?.address
  if (signer === undefined || owner.toLowerCase() === signer.toLowerCase()) return
  throw new Failure('listing/not-owner', {
    tokenId: tokenId(BigInt(id)),
    owner: account(owner),
    account: account(signer),
  })
}

type Minting = Pick<SnapshotOptions, 'card' | 'recipient'> & {
  readonly document: Uint8Array
  readonly parentTokenId?: string
}

/**
 * Requires of a mint what can be seen without sending it: a parent that exists, a recipient that is an
 * account, a card by its rules, and excerpts that are values of the memory.
 *
 * @throws `token/not-found`, `recipient/invalid`, `card/malformed`, `excerpt/not-in-memory`
 */
export async function requireMintable(
  { client, signal }: Pick<Reader, 'client' | 'signal'>,
  { card: shown, recipient, parentTokenId, document }: Minting,
): Promise<void> {
  if (recipient !== undefined && /^0x0+$/.test(recipient)) {
    throw new Failure('recipient/invalid', { recipient: recipient as Account })
  }
  if (shown !== undefined) requireCard(shown, document)
  if (parentTokenId !== undefined) await client.info(parentTokenId, { signal })
}

/** @throws `card/malformed`, `excerpt/not-in-memory` */
function requireCard(shown: NonNullable<Minting['card']>, document: Uint8Array): void {
  const { card: text, excerpts } = partCard(shown)
  card(text)
  if (excerpts.length === 0) return
  const known = new Set(itemsOf(document)?.map(({ pointer }) => pointer))
  const pointer = excerpts.find((it) => !known.has(it))
  if (pointer !== undefined) throw new Failure('excerpt/not-in-memory', { pointer })
}
