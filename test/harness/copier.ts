import { createPublicClient, createWalletClient, type Hex, http, parseEventLogs, toHex } from 'viem'
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'

const mnemonic = 'test test test test test test test test test test test junk'

/** Returns a well-known test account, which the embedded chain funds. */
export function publicAccount(addressIndex: number): PrivateKeyAccount {
  const { privateKey } = mnemonicToAccount(mnemonic, { addressIndex }).getHdKey()
  return privateKeyToAccount(toHex(privateKey ?? new Uint8Array()))
}

/** The public content hash and digest of a token. */
export type Pair = { readonly contentHash: Hex; readonly digest: Hex }

/** Reads the content hash and the digest of a token. */
export async function pairOf(url: string, tokenId: string): Promise<Pair> {
  const record = await (await fetch(`${url}/api/memory/${tokenId}/info`)).json()
  const { contentHash, storageUri } = record as { contentHash: Hex; storageUri: string }
  return { contentHash, digest: storageUri.replace('v2:ipfs://', '') as Hex }
}

/** Returns a stranger that mints copies of others' memories directly on the chain, through `/rpc`. */
export async function copierAt(url: string, stranger: PrivateKeyAccount) {
  const deployment = await (await fetch(`${url}/api/deployment`)).json()
  const { registry, marketplace } = deployment as { registry: Hex; marketplace: Hex }
  const transport = http(`${url}/rpc`)
  const chain = createPublicClient({ chain: foundry, transport, pollingInterval: 20 })
  const wallet = createWalletClient({ account: stranger, chain: foundry, transport })
  const market = { address: marketplace, abi: memoryMarketplaceAbi } as const
  const record = { address: registry, abi: memoryRegistryAbi } as const
  /** Waits for a transaction and returns the ids of the tokens that it minted. */
  const minted = async (hash: Hex): Promise<readonly string[]> => {
    const { logs } = await chain.waitForTransactionReceipt({ hash })
    const events = parseEventLogs({ abi: memoryRegistryAbi, eventName: 'Minted', logs })
    return events.map(({ args }) => String(args.tokenId))
  }
  const item = ({ contentHash, digest }: Pair, recipient: Hex, parent: bigint) => ({
    recipient,
    contentHash,
    digest,
    parent,
  })
  return {
    mint: async ({ contentHash, digest }: Pair, recipient = stranger.address, parent = 0n) => {
      const args = [recipient, contentHash, digest, parent] as const
      return minted(await wallet.writeContract({ ...record, functionName: 'mint', args }))
    },
    mintBatch: async (pair: Pair, recipient = stranger.address) => {
      const args = [[item(pair, recipient, 0n), item(pair, recipient, 1n)]] as const
      return minted(await wallet.writeContract({ ...record, functionName: 'mintBatch', args }))
    },
    mintDescribed: async (pair: Pair, recipient = stranger.address) => {
      const args = [[item(pair, recipient, 0n)], [pair.digest]] as const
      return minted(await wallet.writeContract({ ...record, functionName: 'mintDescribed', args }))
    },
    offer: async (tokenId: string) => {
      const args = [BigInt(tokenId), 7n, 3n, 5n, 0n] as const
      await minted(await wallet.writeContract({ ...market, functionName: 'list', args }))
    },
    unlist: async (tokenId: string) => {
      const args = [BigInt(tokenId), 0n, 0n, 0n, 0n] as const
      await minted(await wallet.writeContract({ ...market, functionName: 'list', args }))
    },
    transfer: async (tokenId: string, to: Hex) => {
      const args = [stranger.address, to, BigInt(tokenId)] as const
      await minted(await wallet.writeContract({ ...record, functionName: 'transferFrom', args }))
    },
    buy: async (tokenId: string) => {
      const args = [BigInt(tokenId), stranger.address] as const
      await minted(await wallet.writeContract({ ...market, functionName: 'buy', args, value: 7n }))
    },
    rent: async (tokenId: string) => {
      const args = [BigInt(tokenId), stranger.address, 1n] as const
      await minted(await wallet.writeContract({ ...market, functionName: 'rent', args, value: 3n }))
    },
    fork: async (tokenId: string) => {
      const args = [BigInt(tokenId), stranger.address, 10_000n] as const
      return minted(
        await wallet.writeContract({ ...market, functionName: 'fork', args, value: 5n }),
      )
    },
  }
}
