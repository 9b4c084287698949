import { type Card, documentOf } from '@heirloom/core'
import { useMemo, useState } from 'preact/hooks'
import { sealHeaders } from '../../../src/client/access-proof.ts'
import { isHeirloomError } from '../../../src/client/heirloom-error.ts'
import type { Minted } from '../../../src/client/responses.ts'
import { idempotencyKey } from '../../../src/client/transport/request-line.ts'
import { checkSeal, type Seal, type SealRequest } from '../../../src/wallet/check-seal.ts'
import { waitForToken } from '../acts/follow-act.ts'
import { openAct } from '../acts/pending-act.ts'
import { storeUnminted, type UnmintedSeal } from '../acts/unminted-seals.ts'
import { usableWallet } from '../acts/use-act.ts'
import { loadDeployment } from '../api/deployment.ts'
import { addressOf } from '../api/get-json.ts'
import { Problem, toProblem, unreachable } from '../api/problem.ts'
import { toResponseProblem } from '../api/to-response-problem.ts'
import { announce } from '../parts/announce.ts'
import { formatBytes } from '../token/provenance-facts.tsx'
import { type ConnectedWallet, connectedWallet } from '../wallet/connected-wallet.ts'
import { textSigner } from '../wallet/signers.ts'
import { accessKey, explainRefusedKey } from './access-key.ts'
import { buildCard, buildRequestBody, type Draft, type Source } from './draft.ts'
import type { Making } from './maker-choice.tsx'
import { forgetDraft } from './use-draft.ts'

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

/** A memory as its form describes it, who makes it, and what follows. */
export type NewMemory = {
  readonly source: Source
  readonly draft: Draft
  readonly making: Making
  /** Receives the token that the server minted. */
  readonly setMinted: (minted: Minted) => void
  /** Clears the form when the memory is sealed for the wallet. */
  readonly startOver: () => void
}

/** The progress of a sealing: idle, waiting for a signature, or the share that is uploaded. */
type Progress = 'idle' | 'signing' | number

/** Names a memory by its public title, if it has one, and always by its file and the size of that. */
function nameMemory(card: Card | undefined, { name, size }: Source): string {
  const file = `${name}, ${formatBytes(size)}`
  return card === undefined ? file : `${card.title} (${file})`
}

/** Seals a memory, and mints it with the server's wallet or leads to the mint of the visitor's. */
export function useSealing(memory: NewMemory) {
  const [step, setStep] = useState<Progress>('idle')
  const [problem, setProblem] = useState<Problem>()
  const { source, draft, making } = memory
  const account = connectedWallet.value?.account
  // The same memory under the same key creates one token, however often it is sent.
  const key = useMemo(idempotencyKey, [source, draft, making.maker, account])
  const seal = async () => {
    setProblem(undefined)
    setStep(making.maker === 'wallet' ? 'signing' : 0)
    try {
      await (making.maker === 'wallet' ? sealForWallet : mintByServer)(memory, key, setStep)
    } catch (error) {
      setProblem(toProblem(explainRefusedKey(error)))
    }
    setStep('idle')
  }
  return { step, problem, seal }
}

const keyFor = ({ making }: NewMemory): string => (making.needsKey ? accessKey.value : '')

async function mintByServer(memory: NewMemory, key: string, onProgress: OnProgress): Promise<void> {
  const { source, draft, setMinted } = memory
  const body = buildRequestBody(source, draft, connectedWallet.value?.account)
  const request = { path: addressOf('snapshot', {}), body, key, apiKey: keyFor(memory) }
  const minted = await upload<Minted>(request, onProgress)
  await waitForToken(minted.tokenId, { contentHash: minted.contentHash })
  announce(`Sealed as No. ${minted.tokenId}.`)
  await forgetDraft()
  setMinted(minted)
}

async function sealForWallet(
  memory: NewMemory,
  key: string,
  onProgress: OnProgress,
): Promise<void> {
  const { source, draft, startOver } = memory
  const wallet = usableWallet()
  if (wallet === undefined) return
  const card = buildCard(draft)
  const parent = draft.parent.trim() || '0'
  const body = buildRequestBody(source, draft, wallet.account)
  const name = nameMemory(card, source)
  const request = { body, card, parent, name, key, apiKey: keyFor(memory) }
  const seal = await sealMemory(request, wallet, onProgress)
  storeUnminted(seal)
  announce('The memory is sealed. Its mint is next.')
  await forgetDraft()
  startOver()
  openAct.value = { kind: 'mint', seal }
}
