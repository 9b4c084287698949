import type { Hex } from 'viem'
import type { RpcRequest } from '../evm.ts'

type Chain = { request(request: RpcRequest): Promise<unknown> }

/** Sends a signed transaction and returns its hash. */
export const send = (chain: Chain, raw: Hex) =>
  chain.request({ method: 'eth_sendRawTransaction', params: [raw] }) as Promise<Hex>

type Block = { readonly hash: Hex; readonly stateRoot: Hex; readonly timestamp: Hex }

/** Returns the hash and state root of every block, oldest first. */
export async function history(chain: Chain): Promise<readonly string[]> {
  const height = Number(await chain.request({ method: 'eth_blockNumber' }))
  const numbers = Array.from({ length: height + 1 }, (_, number) => `0x${number.toString(16)}`)
  const blocks = numbers.map((number) =>
    chain.request({ method: 'eth_getBlockByNumber', params: [number, false] }),
  )
  return ((await Promise.all(blocks)) as Block[]).map(({ hash, stateRoot }) => hash + stateRoot)
}

/** Returns the receipt of a mined transaction. */
export async function receiptOf(chain: Chain, transactionHash: Hex) {
  const receipt = await chain.request({
    method: 'eth_getTransactionReceipt',
    params: [transactionHash],
  })
  return receipt as {
    readonly status: Hex
    readonly blockHash: Hex
    readonly blockNumber: Hex
    readonly contractAddress: Hex
  }
}
