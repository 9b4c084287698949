import { signal } from '@preact/signals'
import { readWhole } from '../../../src/client/transport/decode-response.ts'
import { embeddedChainId } from '../api/deployment.ts'
import { postJson } from '../api/get-json.ts'
import { Problem } from '../api/problem.ts'
import type { Provider } from './connected-wallet.ts'

/** Whether the server has an embedded chain and this page may use it. */
export const hasRpc = signal(false)

/** Whether the server has an embedded chain that is closed to others. */
export const isChainClosed = signal(false)

let lastId = 0

const utf8 = new TextDecoder()

/** An error of the chain. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly code: number
  readonly data: unknown
  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.code = code
    this.data = data
  }
}

type RpcResponse = { readonly result?: unknown; readonly error?: { code: number; message: string } }
type Call = { readonly jsonrpc: '2.0'; readonly id: number; readonly method: string }

const providerOf = (ask: (call: Call) => Promise<RpcResponse>): Provider => ({
  async request({ method, params = [] }) {
    lastId += 1
    const call = { jsonrpc: '2.0', id: lastId, method, params } as const
    const { result, error } = await ask(call)
    if (error != null) throw new ChainError(error)
    return result
  },
})

/** The most bytes and milliseconds of an answer of a node of others. */
const [mostBytes, longestWait] = [2 ** 20, 20_000]

/** Returns the provider of a node of others, which says nothing in the name of the server. */
export const nodeProvider = (address: string, wait = longestWait): Provider =>
  providerOf(async (call) => {
    try {
      const [method, headers] = ['POST', { 'content-type': 'application/json' }]
      const [body, signal] = [JSON.stringify(call), AbortSignal.timeout(wait)]
      const response = await fetch(address, { method, headers, body, signal })
      const answer = JSON.parse(utf8.decode(await readWhole(response, undefined, mostBytes)))
      if ('result' in answer || 'error' in answer) return answer
      throw new TypeError('It is no response of JSON-RPC.')
    } catch (cause) {
      throw new Problem(
        'The node of the chain does not answer.',
        'Nothing was paid. Wait a moment and try again.',
        { code: 'ledger/unavailable', isRetryable: true, cause },
      )
    }
  })

/** The provider of the embedded chain. */
export const rpcProvider = providerOf((call) => postJson('/rpc', call))

/** Detects whether the server has an embedded chain. */
export async function detectRpc(chainId: number): Promise<void> {
  if (chainId !== embeddedChainId) return
  const id = await readChainId()
  isChainClosed.value = id === undefined
  hasRpc.value = id === `0x${chainId.toString(16)}`
}

/** Reads the id of the chain, until the server answers; `undefined` if the chain is closed. */
async function readChainId(): Promise<unknown> {
  for (;;) {
    try {
      return await rpcProvider.request({ method: 'eth_chainId' })
    } catch (error) {
      if (!(error instanceof Problem) || !error.isRetryable) return undefined
      await new Promise((resolve) => setTimeout(resolve, (error.wait ?? 1) * 1000))
    }
  }
}
