import { reads } from '@heirloom/adapters/internal/acts'
import { account, requireFound, tokenId } from '@heirloom/core'
import type { Hex } from 'viem'
import { createAccessProof } from '../../../src/client/proof/access-proof.ts'
import { findBinding } from '../../../src/client/proof/binding-lookup.ts'
import { addressOf } from '../api/address-of.ts'
import { fetchOk } from '../api/get-json.ts'
import { Problem, toProblem } from '../api/problem.ts'
import { chainProvider } from '../chain/chain-provider.ts'
import { openChain } from '../chain/open-chain.ts'
import { loadDeployment } from '../deployment.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { textSigner } from '../wallet/sign-text.ts'
import { toWalletProblem } from '../wallet/to-wallet-problem.ts'
import { type LoadedBytes, readBody } from './read-body.ts'
import { withHashes } from './with-hashes.ts'

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
}

/**
 * Downloads a memory with a wallet's proof, and compares it with the hash on the chain.
 *
 * @throws {Problem} when the wallet or the server refuses, or the hash differs
 */
export async function downloadMemory(
  tokenId: string,
  wallet: ConnectedWallet,
  onStep: (step: DownloadStep) => void,
): Promise<DownloadedMemory> {
  try {
    onStep({ at: 'signing' })
    const binding = findBinding(await loadDeployment(), location.origin)
    const headers = await createAccessProof(textSigner(wallet), {
      tokenId,
      now: Date.now(),
      binding,
    })
    onStep({ at: 'loading', loaded: 0, total: undefined })
    const response = await fetchOk(addressOf('download', { tokenId }), {
      headers,
      cache: 'no-store',
    })
    const document = await readBody(response, (part) => onStep({ at: 'loading', ...part }))
    onStep({ at: 'verifying' })
    const salt = response.headers.get('x-content-salt') ?? ''
    const [found, recorded] = await Promise.all([
      withHashes((calls) => calls.contentHash({ salt: salt as Hex, document })),
      readRecordedHash(tokenId, wallet),
    ])
    if (found !== recorded) throw altered(found, recorded)
    return { document, salt, contentHash: found }
  } catch (error) {
    throw error instanceof TypeError ? toProblem(error) : toWalletProblem(error)
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
