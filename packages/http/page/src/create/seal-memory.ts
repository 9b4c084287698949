import { type Card, documentOf } from '@heirloom/core'
import { sealText } from '../../../src/api/seal-text.ts'
import { hexOf, sha256 } from '../../../src/client/proof/content-hash.ts'
import type { UnmintedSeal } from '../acts/unminted-seals.ts'
import { loadDeployment } from '../deployment.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { signText } from '../wallet/sign-text.ts'
import { checkSeal, type SealResponse } from './check-seal.ts'
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
  const digest = await sha256(body)
  const timestamp = Math.floor(Date.now() / 1000)
  const claim = { account: creator, timestamp, bodyDigest: hexOf(digest) }
  const text = sealText({ host: location.host, chainId, registry }, claim)
  const headers = {
    'x-wallet-address': creator,
    'x-timestamp': `${timestamp}`,
    'x-signature': await signText(wallet, text),
    'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:`,
  }
  onProgress(0)
  const path = '/api/memory/seal'
  const response = await upload<SealResponse>({ path, body, key, apiKey, headers }, onProgress)
  const document = documentOf(body)
  const request = { chainId, registry, creator, parent, card, document, name, now: Date.now() }
  return checkSeal(response, request)
}
