import { namesText } from '../api/names-text.ts'
import { createNameCalls } from '../client/name-calls.ts'
import { hexOf, sha256 } from '../client/proof/content-hash.ts'
import { proofHeaders } from '../client/proof/signed-headers.ts'
import { withQuery } from '../client/transport/with-query.ts'
import type { sealMemory } from './seal-memory.ts'
import type { OwnNames } from './wallet.ts'

/** Returns the calls for the names of an account, which signs each request for this server and path. */
export const ownNames = ({ transport, url, chain, account, now }: sealMemory.Parts): OwnNames =>
  createNameCalls(async ({ method, path, page, body, options }) => {
    const { host } = url
    const { chainId, pair } = chain
    const bodyDigest = body && hexOf(await sha256(body))
    const request = { account: account.address, method, path, bodyDigest }
    const context = { place: { host, chainId, registry: pair.registry }, now: now() }
    const headers = await proofHeaders(account, context, (place, timestamp) =>
      namesText(place, { ...request, timestamp }),
    )
    const call = { method, path: withQuery(path, page), body, options }
    return transport.send({ ...call, headers: () => headers })
  })
