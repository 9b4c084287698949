import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { LocalAccount } from 'viem'
import {
  type LoopbackServer,
  listenOnLoopback,
} from '../../../packages/http/test/listen-on-loopback.ts'

/** A signer on loopback: it signs the texts that are posted to it, as `personal_sign` does. */
export async function localSigner(
  account: Pick<LocalAccount, 'signMessage'>,
): Promise<LoopbackServer> {
  const server = createServer(async (request, response) => {
    response.end(await account.signMessage({ message: await text(request) }))
  })
  return listenOnLoopback(server)
}
