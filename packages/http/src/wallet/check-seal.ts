import { decodeMint, type MintItem } from '@heirloom/adapters/internal/acts'
import { type Card, digest, type Hex, storageUri } from '@heirloom/core'
import type { Sealed } from '../api/memory-schemas.ts'
import type { ReadonlyStatic } from '../api/readonly-static.ts'
import { HeirloomError } from '../client/heirloom-error.ts'
import { cardDigest } from '../client/proof/card-digest.ts'
import { contentHashOf } from '../client/proof/content-hash.ts'
import type { WalletChain } from './open-chain.ts'

/** The response of `POST /api/memory/seal`: the sealed memory, and the mint that publishes it. */
export type Seal = ReadonlyStatic<typeof Sealed>

/** A request for a seal. */
export type SealRequest = {
  readonly creator: Hex
  readonly recipient: Hex
  /** The parent that it must have; any when absent. */
  readonly parent: bigint | undefined
  readonly card: Card | undefined
  /** The bytes that must be sealed. */
  readonly document: Uint8Array
  /** The salt that must be used; any when absent. */
  readonly salt?: Hex | undefined
}

/** The shortest time that must be left for the mint, in milliseconds. */
const shortestTime = 60_000

/**
 * Returns the mint of a sealed memory, after it was compared with the request: a server could name
 * another contract, recipient, parent, card or content. What the wallet signs is encoded from this
 * result, and not taken from the server.
 *
 * @throws `client/not-as-requested`
 */
export async function checkSeal(
  seal: Seal,
  request: SealRequest,
  { chain, now }: { readonly chain: Pick<WalletChain, 'chainId' | 'pair'>; readonly now: number },
): Promise<MintItem> {
  const item = isSeal(seal) ? decodeMint(seal.transaction.data as Hex) : undefined
  if (item === undefined) throw notAsRequested('its transaction does not mint exactly one token')
  const card = request.card && (await cardDigest(request.card, item.contentHash))
  const problems: readonly (readonly [string, boolean])[] = [
    ['it is for another chain or registry', !isFor(seal, chain)],
    ['it names another creator', !isSame(seal.creator, request.creator)],
    [
      'it names another recipient',
      !isSame(item.recipient, request.recipient) || !isSame(seal.recipient, request.recipient),
    ],
    [
      'it names another parent',
      item.parent !== (request.parent ?? item.parent) || seal.parentTokenId !== `${item.parent}`,
    ],
    ['its transaction mints other content than it names', !isContentOf(item, seal)],
    ['its card is another one', item.card !== card],
    ['it has another salt, or none', !isSaltOf(seal, request)],
    ['its content hash is that of another document', !(await isDocumentOf(seal, request))],
    ['it ends too soon', seal.expiresAt < now + shortestTime],
  ]
  const found = problems.find(([, isWrong]) => isWrong)
  if (found !== undefined) throw notAsRequested(found[0])
  return item
}

function isSeal(seal: Seal): boolean {
  const { contentHash, storageUri: uri, transaction, expiresAt } = seal
  const texts = [contentHash, uri, seal.creator, seal.registry, seal.recipient, transaction?.to]
  return (
    texts.every((it) => typeof it === 'string') &&
    typeof transaction.data === 'string' &&
    typeof expiresAt === 'number'
  )
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function isFor(
  { transaction, ...seal }: Seal,
  { chainId, pair }: Pick<WalletChain, 'chainId' | 'pair'>,
) {
  const isHere = [seal.chainId, transaction.chainId].every((it) => it === chainId)
  const isOurs = [seal.registry, transaction.to].every((it) => isSame(it, pair.registry))
  return isHere && isOurs && transaction.value === '0'
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

/** Returns the failure of a seal that is not the requested one. */
export const notAsRequested = (problem: string) =>
  new HeirloomError({
    code: 'client/not-as-requested',
    facts: { problem },
    message: `The seal of the server is not the requested one: ${problem}; nothing was signed.`,
  })
