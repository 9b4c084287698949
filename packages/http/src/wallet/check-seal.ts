import { decodeMint, type MintItem } from '@heirloom/adapters/internal/acts'
import { type Card, digest, encodeCard, type Hex, hash, storageUri } from '@heirloom/core'
import type { Sealed } from '../api/schemas/memory-schemas.ts'
import type { ReadonlyStatic } from '../api/schemas/schema-parts.ts'
import { contentHashOf, hexOf, sha256 } from '../client/content-hash.ts'
import { HeirloomError } from '../client/heirloom-error.ts'

/** The response of `POST /api/memory/seal`: the sealed memory, and the mint that publishes it. */
export type Seal = ReadonlyStatic<typeof Sealed>

/** A request for a seal. */
export type SealRequest = {
  readonly chainId: number
  readonly registry: Hex
  readonly creator: Hex
  readonly recipient: Hex
  /** The parent that it must have, or a function that returns whether it may have one; 0 is none. */
  readonly parent: bigint | ((parent: bigint) => Promise<boolean>)
  readonly card: Card | undefined
  /** The bytes that must be sealed. */
  readonly document: Uint8Array
  /** The salt that must be used; any when absent. */
  readonly salt?: Hex | undefined
  /** The time of the check, in milliseconds. */
  readonly now: number
}

/** The shortest time that must be left for a mint, in milliseconds. */
export const shortestTime = 120_000

/**
 * Returns the mint of a sealed memory, after it was compared with the request: a server could name
 * another contract, owner, parent, card or content. What the wallet signs is encoded from this result,
 * and not taken from the server.
 *
 * @throws `client/not-as-requested`
 */
export async function checkSeal(seal: Seal, request: SealRequest): Promise<MintItem> {
  const item = isSeal(seal) ? decodeMint(seal.transaction.data as Hex) : undefined
  if (item === undefined) throw notAsRequested('its transaction does something else')
  const card = request.card && (await cardDigest(request.card, item.contentHash))
  const differences: readonly (readonly [isDifferent: boolean, what: string])[] = [
    ...placeDifferences(seal, request),
    [!isSame(seal.creator, request.creator), 'it names another creator'],
    [![item.recipient, seal.recipient].every((it) => isSame(it, request.recipient)), otherOwner],
    [!(await isParent(item, seal, request)), 'it names another parent'],
    [!isContentOf(item, seal), 'its transaction mints other content than it names'],
    [![item.card, seal.card ?? undefined].every((it) => it === card), otherCard],
    [!isSaltOf(seal, request), 'it has another salt, or none, to verify its content with'],
    [!(await isDocumentOf(seal, request)), 'its content is another one'],
    [seal.expiresAt < request.now + shortestTime, 'it leaves no time for the mint'],
  ]
  const found = differences.find(([isDifferent]) => isDifferent)
  if (found !== undefined) throw notAsRequested(found[1])
  return item
}

const otherOwner = 'it names another owner'
const otherCard = 'it has another public description'

function isSeal(seal: Seal | null): seal is Seal {
  const { contentHash, storageUri: uri, transaction, ...named } = seal ?? ({} as Partial<Seal>)
  const texts = [contentHash, uri, named.creator, named.registry, named.recipient]
  return (
    [...texts, transaction?.to, transaction?.data].every((it) => typeof it === 'string') &&
    typeof named.expiresAt === 'number'
  )
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const placeDifferences = (
  { transaction, ...seal }: Seal,
  { chainId, registry }: SealRequest,
): readonly (readonly [boolean, string])[] => [
  [[seal, transaction].some((it) => it.chainId !== chainId), 'it is for another chain'],
  [!isSame(seal.registry, registry), 'it is for another registry'],
  [!isSame(transaction.to, registry), 'its transaction calls another contract'],
  [transaction.value !== '0', 'its transaction pays money'],
]

async function isParent(
  { parent }: MintItem,
  seal: Seal,
  { parent: requested }: SealRequest,
): Promise<boolean> {
  if (seal.parentTokenId !== `${parent}`) return false
  return typeof requested === 'bigint' ? parent === requested : requested(parent)
}

const isContentOf = (item: MintItem, { contentHash, storageUri: uri }: Seal) =>
  item.contentHash === contentHash.toLowerCase() && storageUri(digest(item.digest)) === uri

const isSaltOf = ({ salt }: Seal, request: Pick<SealRequest, 'salt'>) =>
  isHex32(salt) && isSame(request.salt ?? salt, salt)

/** Returns whether the content hash is that of the document under the salt of the seal. */
async function isDocumentOf({ contentHash, salt }: Seal, { document }: SealRequest) {
  return isHex32(salt) && (await contentHashOf(salt, document)) === contentHash.toLowerCase()
}

const isHex32 = (text: unknown): text is Hex => /^0x[0-9a-f]{64}$/i.test(`${text}`)

const notAsRequested = (problem: string) =>
  new HeirloomError({
    code: 'client/not-as-requested',
    facts: { problem },
    message: `The seal of the server is not the requested one: ${problem}; nothing was signed.`,
  })

/** Returns the digest of the block of a card, as a blob store computes it. */
async function cardDigest(card: Card, contentHash: Hex): Promise<Hex> {
  return hexOf(await sha256(new Uint8Array(encodeCard({ card, contentHash: hash(contentHash) }))))
}
