import { signal } from '@preact/signals'
import { reach } from '../api/request.ts'
import { Problem } from '../api/problem.ts'
import { embeddedChainId } from '../deployment.ts'
import type { Provider } from './provider.ts'

/** Whether the server has a chain in itself and lets this page ask it. */
export const hasRpc = signal(false)

/** Whether the server has a chain in itself and lets nobody else ask it. */
export const isChainClosed = signal(false)

let asked = 0

/** An error as a chain answers it. */
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

type Answer = { readonly result?: unknown; readonly error?: { code: number; message: string } }

/** Asks the chain in the server. */
export const rpcProvider: Provider = {
  async request({ method, params = [] }) {
    asked += 1
    const response = await reach('/rpc', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }),
    })
    const { result, error } = (await response.json()) as Answer
    if (error !== undefined) throw new ChainError(error)
    return result
  },
}

/** Finds out whether the server has a chain in itself. */
export async function learnRpc(chainId: number): Promise<void> {
  if (chainId !== embeddedChainId) return
  const told = await toldChainId()
  isChainClosed.value = told === undefined
  hasRpc.value = told === `0x${chainId.toString(16)}`
}

/** Asks the chain for its id, until the server answers; `undefined` where it lets nobody ask. */
async function toldChainId(): Promise<unknown> {
  for (;;) {
    try {
      return await rpcProvider.request({ method: 'eth_chainId' })
    } catch (error) {
      if (!(error instanceof Problem) || !error.isPassing) return undefined
      await new Promise((resolve) => setTimeout(resolve, (error.wait ?? 1) * 1000))
    }
  }
}
