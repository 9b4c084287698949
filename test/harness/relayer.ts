import {
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  type TypedDataDefinition,
} from 'viem'
import { foundry } from 'viem/chains'
import {
  forwarderAbi,
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import {
  domainOfForwarder,
  forwardRequestTypes,
} from '../../packages/adapters/src/ledger/relay/forward-request.ts'

/** The addresses that a server names. */
type Deployment = {
  readonly chainId: number
  readonly registry: Hex
  readonly marketplace: Hex
  readonly forwarder: Hex
  readonly agent: Hex
}

/** An account that signs requests, with a key or as a contract. */
export type RequestSigner = {
  readonly address: Hex
  readonly signTypedData: (typedData: TypedDataDefinition) => Promise<Hex>
}

/** The body of a request, as JSON has it. */
export type SignedRequest = {
  readonly from: Hex
  readonly to: Hex
  readonly value: string
  readonly gas: string
  readonly deadline: number
  readonly data: Hex
  readonly signature: Hex
}

/** The differences of a request from one that the relay would send. */
export type RequestFlaws = {
  readonly from?: Hex
  readonly value?: bigint
  readonly gas?: bigint
  /** The seconds from now to the deadline. */
  readonly seconds?: number
  readonly nonce?: bigint
  readonly chainId?: number
  readonly forwarder?: Hex
}

/** The answer of the relay, or the failure. */
export type RelayReply = {
  readonly status: number
  readonly code?: string
  readonly detail?: string
  readonly txHash?: Hex
  readonly act?: string
  readonly tokenId?: string
}

/** Returns a client that signs calls for the forwarder of a server, and has them relayed. */
export async function relayerAt(url: string) {
  const deployment = (await (await fetch(`${url}/api/deployment`)).json()) as Deployment
  const { registry, marketplace, forwarder, chainId } = deployment
  const chain = createPublicClient({ chain: foundry, transport: http(`${url}/rpc`) })
  const nonceOf = (account: Hex) =>
    chain.readContract({
      address: forwarder,
      abi: forwarderAbi,
      functionName: 'nonces',
      args: [account],
    })
  const sign = async (
    wallet: RequestSigner,
    { to, data }: { readonly to: Hex; readonly data: Hex },
    flaws: RequestFlaws = {},
  ): Promise<SignedRequest> => {
    const { from = wallet.address, value = 0n, gas = 300_000n, seconds = 600 } = flaws
    const deadline = Math.floor(Date.now() / 1000) + seconds
    const nonce = flaws.nonce ?? (await nonceOf(from))
    const signature = await wallet.signTypedData({
      domain: domainOfForwarder(flaws.chainId ?? chainId, flaws.forwarder ?? forwarder),
      types: forwardRequestTypes,
      primaryType: 'ForwardRequest',
      message: { from, to, value, gas, nonce, deadline, data },
    })
    return { from, to, value: `${value}`, gas: `${gas}`, deadline, data, signature }
  }
  const post = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}/api/relay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { ...((await response.json()) as RelayReply), status: response.status }
  }
  return {
    deployment,
    chain,
    sign,
    nonceOf,
    relay: (request: SignedRequest, headers = {}) => post({ request }, headers),
    post,
    onRegistry: <
      name extends 'transferFrom' | 'approve' | 'setApprovalForAll' | 'heartbeat' | 'mintBatch',
    >(
      functionName: name,
      args: readonly unknown[] = [],
    ) => ({ to: registry, data: encodeCall(memoryRegistryAbi, functionName, args) }),
    onMarketplace: (functionName: string, args: readonly unknown[] = []) => ({
      to: marketplace,
      data: encodeCall(memoryMarketplaceAbi, functionName, args),
    }),
    mint: (recipient: Hex, contentHash: Hex = `0x${'7'.repeat(64)}`) => ({
      to: registry,
      data: encodeCall(memoryRegistryAbi, 'mint', [recipient, contentHash, contentHash, 0n]),
    }),
    tokens: () =>
      chain.readContract({
        address: registry,
        abi: memoryRegistryAbi,
        functionName: 'totalSupply',
      }),
    balanceOf: (address: Hex) => chain.getBalance({ address }),
  }
}

function encodeCall(abi: unknown, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: abi as never, functionName, args } as never)
}
