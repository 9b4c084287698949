import { type Card, documentOf } from '@heirloom/core'
import { sealHeaders } from '../../../src/client/access-proof.ts'
import { isHeirloomError } from '../../../src/client/heirloom-error.ts'
import { checkSeal, type Seal, type SealRequest } from '../../../src/wallet/check-seal.ts'
import type { UnmintedSeal } from '../acts/unminted-seals.ts'
import { loadDeployment } from '../api/deployment.ts'
import { addressOf } from '../api/get-json.ts'
import { Problem, unreachable } from '../api/problem.ts'
import { toResponseProblem } from '../api/to-response-problem.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { textSigner } from '../wallet/signers.ts'

/** A memory that a wallet lets the server seal. */
type SealableMemory = {
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

/** Receives the share of a body that is sent, from 0 to 1. */
export type OnProgress = (share: number) => void

type Upload = {
  readonly path: string
  readonly body: Blob | Uint8Array<ArrayBuffer>
  /** The idempotency key, the same for every try. */
  readonly key: string
  readonly apiKey: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Uploads a memory, and returns the response of the server.
 *
 * @throws {Problem} when the server refuses, or does not answer
 */
export function upload<T>(
  { path, body, key, apiKey, headers = {} }: Upload,
  onProgress: OnProgress,
): Promise<T> {
  // Unlike fetch, XMLHttpRequest reports the progress of an upload.
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.upload.onload = () => onProgress(1)
    request.onerror = () => reject(unreachable())
    request.onload = () => {
      if (request.status === 201) resolve(JSON.parse(request.responseText) as T)
      else reject(refusalIn(request))
    }
    request.open('POST', path)
    request.setRequestHeader('content-type', 'application/json')
    request.setRequestHeader('idempotency-key', key)
    if (apiKey !== '') request.setRequestHeader('authorization', `Bearer ${apiKey}`)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(body)
  })
}

const refusalIn = (request: XMLHttpRequest) =>
  toResponseProblem({
    status: request.status,
    body: request.responseText,
    retryAfter: request.getResponseHeader('retry-after'),
  })
