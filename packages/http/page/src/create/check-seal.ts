import type { Card } from '@heirloom/core'
import type { Sealed } from '../../../src/api/memory-schemas.ts'
import type { ReadonlyStatic } from '../../../src/api/readonly-static.ts'
import { cardDigest } from '../../../src/client/proof/card-digest.ts'
import { contentHashOf } from '../../../src/client/proof/content-hash.ts'
import { encodeMint } from '../acts/encode-mint.ts'
import { shortestTime } from '../acts/require-mintable.ts'
import type { UnmintedSeal } from '../acts/unminted-seals.ts'
import { Problem } from '../api/problem.ts'
import { isSameAccount } from '../text/account.ts'

/** The response of a server that has sealed a memory. */
export type SealResponse = ReadonlyStatic<typeof Sealed>

/** The request of a wallet for a seal. */
export type SealRequest = Pick<UnmintedSeal, 'chainId' | 'parent' | 'name'> & {
  readonly creator: UnmintedSeal['creator']
  readonly registry: UnmintedSeal['registry']
  readonly card: Card | undefined
  /** The bytes that must be sealed. */
  readonly document: Uint8Array
  /** The time of the check, in milliseconds. */
  readonly now: number
}

/**
 * Returns the sealed memory that a wallet may mint, after it was compared with the request: the
 * wallet would sign away its name for another content, owner or parent.
 *
 * @throws {Problem} when the response is not what was asked for
 */
export async function checkSeal(
  response: SealResponse,
  request: SealRequest,
): Promise<UnmintedSeal> {
  const { chainId, parent, name, creator, registry } = request
  const digest = /^v2:ipfs:\/\/(0x[0-9a-f]{64})$/.exec(response.storageUri)?.[1]
  const contentHash = response.contentHash.toLowerCase()
  if (digest === undefined || !isHash(contentHash)) throw otherSeal('its content has no hash')
  const card = request.card && (await cardDigest(request.card, contentHash))
  const { salt } = response
  if (!isHash(`${salt}`.toLowerCase())) throw otherSeal('it has no salt to verify its content with')
  if ((await contentHashOf(salt, request.document)) !== contentHash) {
    throw otherSeal('its content is another one')
  }
  const problem = findDifference(response, request, card)
  if (problem !== undefined) throw otherSeal(problem)
  const content = { contentHash, digest: digest as `0x${string}`, parent, creator }
  const seal = { ...content, ...(card !== undefined && { card }) }
  // What is signed is encoded here; the bytes of the server are only compared with it.
  if (response.transaction.data.toLowerCase() !== encodeMint(seal)) {
    throw otherSeal('its transaction does something else')
  }
  return { ...seal, chainId, registry, name, expiresAt: response.expiresAt }
}

const isHash = (text: string): text is `0x${string}` => /^0x[0-9a-f]{64}$/.test(text)

/** Returns the first difference between a response and what was asked for. */
function findDifference(
  { transaction, ...response }: SealResponse,
  { chainId, registry, creator, parent, now }: SealRequest,
  card: string | undefined,
): string | undefined {
  const differences: readonly (readonly [isDifferent: boolean, what: string])[] = [
    [response.chainId !== chainId || transaction.chainId !== chainId, 'it is for another chain'],
    [!isSameAccount(response.registry, registry), 'it is for another registry'],
    [!isSameAccount(transaction.to, registry), 'its transaction calls another contract'],
    [transaction.value !== '0', 'its transaction pays money'],
    [!isSameAccount(response.creator, creator), 'it names another creator'],
    [!isSameAccount(response.recipient, creator), 'it names another owner'],
    [response.parentTokenId !== parent, 'it names another parent'],
    [(response.card ?? undefined) !== card, 'it has another public description'],
    [!(response.expiresAt >= now + shortestTime), 'it leaves no time for the mint'],
  ]
  return differences.find(([isDifferent]) => isDifferent)?.[1]
}

const otherSeal = (difference: string) =>
  new Problem(
    `The server sealed something else than this page asked for: ${difference}.`,
    'Nothing was minted and nothing was paid. Do not trust this server, and tell its operator.',
    { code: 'seal/not-as-requested' },
  )
