import { type Card, documentOf } from '@heirloom/core'
import { isHeirloomError } from '../../../src/client/heirloom-error.ts'
import { sealHeaders } from '../../../src/client/proof/access-proof.ts'
import { checkSeal, type Seal, type SealRequest } from '../../../src/wallet/check-seal.ts'
import type { UnmintedSeal } from '../acts/unminted-seals.ts'
import { addressOf } from '../api/address-of.ts'
import { Problem } from '../api/problem.ts'
import { loadDeployment } from '../deployment.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { textSigner } from '../wallet/sign-text.ts'
import { type OnProgress, upload } from './upload.ts'

/** A memory that a wallet lets the server seal. */
export type SealableMemory = {
  readonly body: Blob
  readonly card: Card | undefined
  readonly parent: string
  readonly name: string
  /** The idempotency key, the same for every try. */
  readonly key: string
  readonly apiKey: string
}

/**
 * Lets the server seal and store a memory for a wallet, which signs the bytes of the upload, and
 * checks the response. Nothing is minted and nothing is paid.
 *
 * @throws {Problem} when the wallet or the server refuses, or the server sealed something else
 */
export async function sealMemory(
  memory: SealableMemory,
  wallet: ConnectedWallet,
  onProgress: OnProgress,
): Promise<UnmintedSeal> {
  const { card, parent, name, key, apiKey } = memory
  const { account: creator } = wallet
  const { chainId, registry } = await loadDeployment()
  const body = new Uint8Array(await memory.body.arrayBuffer())
  const place = { host: location.host, chainId, registry }
  const headers = await sealHeaders(textSigner(wallet), { place, body, now: Date.now() })
  onProgress(0)
  const path = addressOf('seal', {})
  const seal = await upload<Seal>({ path, body, key, apiKey, headers }, onProgress)
  const document = documentOf(body)
  const owned = { creator, recipient: creator, parent: BigInt(parent), card, document }
  return unmintedSeal(seal, { chainId, registry, ...owned, now: Date.now(), name })
}

type NamedRequest = SealRequest & {
  readonly parent: bigint
  /** A name for the visitor. */
  readonly name: string
}

/**
 * Returns the sealed memory that a wallet may mint, after it was compared with the request: the
 * wallet would sign away its name for another content, owner or parent.
 *
 * @throws {Problem} when it is not what was asked for
 */
export async function unmintedSeal(
  seal: Seal,
  { name, ...request }: NamedRequest,
): Promise<UnmintedSeal> {
  const { contentHash, digest, card } = await checkSeal(seal, request).catch(explain)
  const { chainId, registry, creator, parent } = request
  const content = { contentHash, digest, ...(card !== undefined && { card }) }
  const place = { chainId, registry, creator, parent: `${parent}` }
  return { ...content, ...place, expiresAt: seal.expiresAt, name }
}

function explain(error: unknown): never {
  if (!isHeirloomError(error, 'client/not-as-requested')) throw error
  throw new Problem(
    `The server sealed something else than this page asked for: ${error.facts.problem}.`,
    'Nothing was minted and nothing was paid. Do not trust this server, and tell its operator.',
    { code: 'seal/not-as-requested' },
  )
}
