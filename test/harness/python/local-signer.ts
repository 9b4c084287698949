import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { hashTypedData, type LocalAccount } from 'viem'
import {
  type LoopbackServer,
  listenOnLoopback,
} from '../../../packages/http/test/listen-on-loopback.ts'

/** A signer on loopback: it signs the texts that are posted to it, as `personal_sign` does, or typed data. */
export async function localSigner(
  account: Pick<LocalAccount, 'signMessage' | 'signTypedData'>,
): Promise<LoopbackServer> {
  const server = createServer(async (request, response) => {
    const message = await text(request)
    if (request.url !== '/typed') return response.end(await account.signMessage({ message }))
    const typed = JSON.parse(message)
    response.end(JSON.stringify([hashTypedData(typed), await account.signTypedData(typed)]))
  })
  return listenOnLoopback(server)
}
