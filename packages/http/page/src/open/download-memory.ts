import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { memoryMarketplaceAbi as abi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import { type Account, proofOf } from '../../../src/client/proof/access-proof.ts'
import { contentHashOf, hexOf } from '../../../src/client/proof/content-hash.ts'
import { bindingIn } from '../../../src/client/proof/offered-binding.ts'
import { chainOf } from '../acts/send-act.ts'
import { reach } from '../api/request.ts'
import { Problem, problemOf } from '../api/problem.ts'
import { learnDeployment } from '../deployment.ts'
import type { Connected } from '../wallet/connected-wallet.ts'
import { walletProblem } from '../wallet/to-wallet-problem.ts'
import { bodyOf, type Loaded } from './read-body.ts'

/** How far opening a memory has come. */
export type OpenStep =
  | { readonly at: 'signing' }
  | ({ readonly at: 'loading' } & Loaded)
  | { readonly at: 'verifying' }

/** A memory as its owner sealed it, proven against the chain. */
export type Opened = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly salt: string
  readonly contentHash: string
}

/**
 * Opens a memory with a wallet's signature, and proves it against what the chain itself says.
 *
 * @throws {Problem} when the wallet, the server or the proof refuses
 */
export async function openMemory(
  tokenId: string,
  wallet: Connected,
  tell: (step: OpenStep) => void,
): Promise<Opened> {
  try {
    tell({ at: 'signing' })
    const binding = bindingIn(await learnDeployment(), location.origin)
    const headers = await proofOf(signerOf(wallet), { tokenId, now: Date.now(), binding })
    tell({ at: 'loading', loaded: 0, total: undefined })
    const response = await reach(`/api/memory/${tokenId}`, { headers, cache: 'no-store' })
    const bytes = await bodyOf(response, (part) => tell({ at: 'loading', ...part }))
    tell({ at: 'verifying' })
    const salt = response.headers.get('x-content-salt') ?? ''
    const [found, recorded] = await Promise.all([
      contentHashOf(salt as Hex, bytes),
      recordedHash(tokenId, wallet),
    ])
    if (found !== recorded) throw altered(found, recorded)
    return { bytes, salt, contentHash: found }
  } catch (error) {
    throw error instanceof TypeError ? problemOf(error) : walletProblem(error)
  }
}

const altered = (found: string, recorded: string) =>
  new Problem(
    `What the server sent is not what the chain records: its hash is ${found}, and the chain says ${recorded}.`,
    'Nothing of it is shown or saved. Do not trust this copy, and tell the keeper of this server.',
    { code: 'bundle/altered' },
  )

const signerOf = ({ account, provider }: Connected): Account => ({
  address: account,
  signMessage: async ({ message }) => {
    const params = [hexOf(new TextEncoder().encode(message)), account]
    return (await provider.request({ method: 'personal_sign', params })) as Hex
  },
})

async function recordedHash(tokenId: string, wallet: Connected): Promise<Hex> {
  const { marketplace } = await learnDeployment()
  const args = [BigInt(tokenId), wallet.account] as const
  const data = encodeFunctionData({ abi, functionName: 'accessOf', args })
  const answer = await chainOf(wallet).request({
    method: 'eth_call',
    params: [{ to: marketplace, data }, 'latest'],
  })
  const told = decodeFunctionResult({ abi, functionName: 'accessOf', data: answer as Hex })
  return told[4]
}
