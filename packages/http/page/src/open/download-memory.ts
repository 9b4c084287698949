import { reads } from '@heirloom/adapters/internal/acts'
import { account, requireFound, tokenId } from '@heirloom/core'
import type { Hex } from 'viem'
import type { Answer } from '../../../src/api/operations/operations.ts'
import { createAccessProof, findBinding } from '../../../src/client/access-proof.ts'
import { loadDeployment } from '../api/deployment.ts'
import { addressOf, fetchOk, readNow } from '../api/get-json.ts'
import { Problem, toProblem, unreachable } from '../api/problem.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { chainProvider, openChain } from '../wallet/open-chain.ts'
import { textSigner } from '../wallet/signers.ts'
import { toWalletProblem } from '../wallet/to-wallet-problem.ts'
import { inWorker } from '../worker-calls.ts'
import type { HashHandlers } from './hash-worker.ts'

/** A step of a download. */
export type DownloadStep =
  | { readonly at: 'signing' }
  | ({ readonly at: 'loading' } & LoadedBytes)
  | { readonly at: 'verifying' }

/** A memory that matches its hash on the chain. */
export type DownloadedMemory = {
  readonly document: Blob
  readonly salt: string
  readonly contentHash: string
  /** Whether it is the own of the connected account, as the server says. */
  readonly isOwn: boolean
  /** The grant by which it was read; absent for an owner or a renter. */
  readonly granted: Granted | undefined
}

/** A grant as the server describes it to its reader; its end is in seconds since 1970. */
type Granted = {
  readonly id: Hex
  readonly until: number
  /** The name whose versions it opens; `null` for one of a token alone. */
  readonly name: string | null
  readonly maySave: boolean
}

type DownloadInput = {
  readonly wallet: ConnectedWallet
  /** The grant by which the wallet reads; absent for an owner or a renter. */
  readonly grant?: Hex | undefined
  readonly onStep: (step: DownloadStep) => void
}

/**
 * Downloads a memory with a wallet's proof, and compares it with the hash on the chain.
 *
 * @throws {Problem} when the wallet or the server refuses, or the hash differs
 */
export async function downloadMemory(
  tokenId: string,
  { wallet, grant, onStep }: DownloadInput,
): Promise<DownloadedMemory> {
  try {
    onStep({ at: 'signing' })
    const headers = await signAccess(tokenId, wallet, grant)
    onStep({ at: 'loading', loaded: 0, total: undefined })
    const address =
      grant === undefined
        ? addressOf('download', { tokenId })
        : addressOf('grantedDownload', { grant, tokenId })
    const response = await fetchOk(address, { headers, cache: 'no-store' })
    // With the same proof, so that the wallet signs once; what another saved is nobody's own.
    const isOwn = grant === undefined && readIsOwn(tokenId, headers)
    const document = await readBody(response, (part) => onStep({ at: 'loading', ...part }))
    onStep({ at: 'verifying' })
    const salt = response.headers.get('x-content-salt') ?? ''
    const [found, recorded] = await Promise.all([
      withHashes((calls) => calls.contentHash({ salt: salt as Hex, document })),
      readRecordedHash(tokenId, wallet),
    ])
    if (found !== recorded) throw altered(found, recorded)
    const granted = grant && readGranted(grant, response.headers)
    return { document, salt, contentHash: found, isOwn: await isOwn, granted }
  } catch (error) {
    throw error instanceof TypeError ? toProblem(error) : toWalletProblem(error)
  }
}

const readGranted = (id: Hex, headers: Headers): Granted => ({
  id,
  until: Number(headers.get('x-grant-expires')),
  name: headers.get('x-grant-name'),
  maySave: headers.get('x-grant-rights') === 'read and save',
})

/** Has a wallet sign that it asks for a memory, and returns the headers that prove it. */
async function signAccess(tokenId: string, wallet: ConnectedWallet, grant?: Hex) {
  const binding = findBinding(await loadDeployment(), location.origin)
  return createAccessProof(textSigner(wallet), { tokenId, now: Date.now(), binding, grant })
}

/**
 * Reads who opened a memory lately, with a proof of the wallet of its owner.
 *
 * @throws {Problem} when the wallet or the server refuses
 */
export async function readOpenings(
  tokenId: string,
  wallet: ConnectedWallet,
): Promise<Answer<'openings'>> {
  try {
    const headers = await signAccess(tokenId, wallet)
    return await readNow('openings', { tokenId, limit: 100 }, { headers, cache: 'no-store' })
  } catch (error) {
    throw toWalletProblem(error)
  }
}

/** Returns whether a memory is the account's own; where the server does not say so it is another's. */
async function readIsOwn(tokenId: string, headers: Record<string, string>): Promise<boolean> {
  try {
    return (await readNow('isOwn', { tokenId }, { headers, cache: 'no-store' })).isOwn
  } catch {
    return false
  }
}

const altered = (found: string, recorded: string) =>
  new Problem(
    `The memory from the server does not match the chain: its hash is ${found}, and the chain records ${recorded}.`,
    'It is neither shown nor saved. Do not trust this copy, and tell the operator.',
    { code: 'bundle/altered' },
  )

async function readRecordedHash(id: string, wallet: ConnectedWallet): Promise<Hex> {
  const { client, pair } = await openChain(chainProvider(wallet))
  const of = tokenId(id)
  const access = await reads(client, pair).access(of, account(wallet.account))
  return requireFound(of, access).contentHash
}

/** The loaded bytes of a body; `total` is absent if the server does not send it. */
export type LoadedBytes = { readonly loaded: number; readonly total: number | undefined }

/** The bytes that are joined at once: the browser keeps what is joined outside the page. */
const pieceSize = 2 ** 20

/**
 * Reads the bytes of a response, and reports the progress. No step is long, however many bytes
 * there are.
 *
 * @throws {Problem} when the connection breaks
 */
export async function readBody(
  { body, headers }: Response,
  onProgress: (part: LoadedBytes) => void,
): Promise<Blob> {
  const length = headers.get('content-length')
  // The length of a compressed body is not the length of its content.
  const isUncompressed = headers.get('content-encoding') === null
  const total = length !== null && isUncompressed ? Number(length) : undefined
  const pieces: Blob[] = []
  let [parts, waiting, loaded] = [[] as BlobPart[], 0, 0]
  const join = () => {
    pieces.push(new Blob(parts))
    ;[parts, waiting] = [[], 0]
  }
  try {
    const reader = body?.getReader()
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      parts.push(part.value)
      waiting += part.value.length
      loaded += part.value.length
      if (waiting >= pieceSize) join()
      onProgress({ loaded, total })
    }
  } catch (cause) {
    throw unreachable(cause)
  }
  join()
  return new Blob(pieces, { type: 'application/json' })
}

/** Runs calls in a worker that computes hashes of documents; without Web Crypto that is slow. */
export const withHashes = inWorker<HashHandlers>({
  start: () => new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' }),
  limit: 300_000,
  tooLong: 'This memory takes too long to verify.',
})
