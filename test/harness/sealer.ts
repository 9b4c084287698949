import { join } from 'node:path'
import { storedBlocks } from '@heirloom/adapters/internal/block-folder'
import { createPublicClient, createWalletClient, type Hex, http } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import type { SignedPlace } from '../../packages/http/src/api/signed-texts.ts'
import { type SealSigner, sealHeaders } from '../../packages/http/test/seal-headers.ts'
import { type Pair, pairOf } from './copier.ts'
import { downloadAs } from './process/server.ts'

/** The response to a seal. */
export type SealedMemory = {
  readonly contentHash: Hex
  readonly storageUri: string
  readonly creator: Hex
  readonly expiresAt: number
  readonly transaction: { readonly to: Hex; readonly data: Hex }
}

/** The memory, or the code of a failure, with the status. */
export type SealReply = { readonly status: number; readonly code?: string } & SealedMemory

/** The differences of a request from one that its creator would send. */
export type SealFlaws = {
  readonly signer?: SealSigner
  readonly place?: Partial<SignedPlace>
  readonly seconds?: number
  /** The body that is sent instead of the signed one. */
  readonly sent?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the pair of a sealed memory, as its mint publishes it. */
export const pairOfSeal = ({ contentHash, storageUri }: SealedMemory): Pair => ({
  contentHash,
  digest: storageUri.replace('v2:ipfs://', '') as Hex,
})

/** Returns a wallet that has memories sealed by a server, and mints them itself through `/rpc`. */
export async function sealerAt(url: string, wallet: PrivateKeyAccount) {
  const deployment = await (await fetch(`${url}/api/deployment`)).json()
  const { chainId, registry } = deployment as { chainId: number; registry: Hex }
  const own = { host: new URL(url).host, chainId, registry }
  const transport = http(`${url}/rpc`)
  const chain = createPublicClient({ chain: foundry, transport, pollingInterval: 20 })
  const client = createWalletClient({ account: wallet, chain: foundry, transport })
  const headersOf = (body: string, { signer = wallet, place, seconds = 0 }: SealFlaws = {}) =>
    sealHeaders(signer, body, {
      place: { ...own, ...place },
      timestamp: Math.floor(Date.now() / 1000) + seconds,
    })
  const sendTo = async (data: Hex, to: Hex): Promise<string> => {
    // An estimate through a contract that ignores failures would be too low.
    const hash = await client.sendTransaction({ to, data, gas: 300_000n })
    const { status, logs } = await chain.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('The transaction was reverted.')
    const minted = logs.find(
      ({ topics }) => topics.length === 4 && BigInt(topics[3] ?? 0) > 2n ** 64n,
    )
    return String(BigInt(minted?.topics[1] ?? 0))
  }
  return {
    wallet,
    headersOf,
    sendTo,
    deploy: async (bytecode: Hex): Promise<Hex> => {
      const hash = await client.deployContract({ abi: [], bytecode })
      const { contractAddress } = await chain.waitForTransactionReceipt({ hash })
      return contractAddress ?? '0x'
    },
    seal: async (text: string, flaws: SealFlaws = {}): Promise<SealReply> => {
      const body = bodyOf(text)
      const headers = { ...(await headersOf(body, flaws)), ...flaws.headers }
      const sent = flaws.sent === undefined ? body : bodyOf(flaws.sent)
      const path = `${url}/api/memory/seal`
      const response = await fetch(path, { method: 'POST', headers, body: sent })
      return { ...((await response.json()) as SealReply), status: response.status }
    },
    /** Sends the transaction of a sealed memory, and returns the id of its token. */
    mint: ({ transaction: { to, data } }: SealedMemory): Promise<string> => sendTo(data, to),
    /** Downloads a token with this wallet: the status, and the code or the text of the memory. */
    open: async (tokenId: string): Promise<readonly [number, string]> => {
      const response = await downloadAs(wallet, url, tokenId)
      const body = (await response.json()) as { code?: string; data?: { text: string } }
      return [response.status, body.data?.text ?? body.code ?? '']
    },
    pairOf: (tokenId: string) => pairOf(url, tokenId),
  }
}

/** Returns the body of a memory with a text. */
export const bodyOf = (text: string): string =>
  JSON.stringify({ data: { text }, metadata: { category: 'research' } })

/** Reads how many seals a server counts in a state. */
export async function countedSeals(url: string, state: 'unminted' | 'minted'): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^heirloom_seals\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

/** Returns the number and the bytes of the blocks in the data folder of a server, moved ones too. */
export async function countBlocks(
  home: string,
): Promise<{ readonly blocks: number; readonly bytes: number }> {
  const stored = storedBlocks(join(home, 'blobs'))
  const lengths = [...(await stored.list()).values()]
  stored.close()
  return { blocks: lengths.length, bytes: lengths.reduce((sum, it) => sum + it, 0) }
}
