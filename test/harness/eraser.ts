import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { eraseText, type SignedPlace } from '../../packages/http/src/api/signed-texts.ts'

/** The answer to a request: its status, and what it says. */
export type Answer = {
  readonly status: number
  readonly code?: string
  readonly erasedAt?: string | null
  readonly isRemoved?: boolean
  readonly facts?: Readonly<Record<string, string>>
}

/** The differences of a request from one that the owner would send. */
export type EraseFlaws = {
  readonly place?: Partial<SignedPlace>
  /** The account that the request names, if it is not the signer. */
  readonly account?: Hex
  /** The token that was signed, if it is not the requested one. */
  readonly signed?: string
  readonly seconds?: number
}

/** Reads a response. */
export async function answerOf(response: Response): Promise<Answer> {
  const body = (await response.json()) as Omit<Answer, 'status'>
  return { ...body, status: response.status }
}

/** Returns requests to erase memories of a server. */
export async function eraserAt(url: string) {
  const deployment = await (await fetch(`${url}/api/deployment`)).json()
  const { chainId, registry } = deployment as { chainId: number; registry: Hex }
  const own = { host: new URL(url).host, chainId, registry }
  const headersOf = async (wallet: PrivateKeyAccount, id: string, flaws: EraseFlaws = {}) => {
    const { place, account = wallet.address, signed = id, seconds = 0 } = flaws
    const timestamp = Math.floor(Date.now() / 1000) + seconds
    const message = eraseText({ ...own, ...place }, { tokenId: signed, account, timestamp })
    return {
      'x-wallet-address': account,
      'x-signature': await wallet.signMessage({ message }),
      'x-timestamp': `${timestamp}`,
    }
  }
  const send = async (id: string, headers: Readonly<Record<string, string>> = {}) =>
    answerOf(await fetch(`${url}/api/memory/${id}/erase`, { method: 'POST', headers }))
  return {
    headersOf,
    send,
    /** Erases as the owner of a token, by its signature. */
    erase: async (wallet: PrivateKeyAccount, id: string, flaws?: EraseFlaws) =>
      send(id, await headersOf(wallet, id, flaws)),
    /** Reads what the server says of a token. */
    read: async (path: string) => answerOf(await fetch(`${url}${path}`)),
  }
}
