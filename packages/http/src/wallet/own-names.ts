import { namesText } from '../api/names-text.ts'
import type { PageQuery } from '../client/requests.ts'
import type { NamedVersions, Page, SavedName } from '../client/responses.ts'
import { decodeResponse } from '../client/transport/decode-response.ts'
import { encodeName } from '../client/transport/encode-name.ts'
import { withQuery } from '../client/transport/with-query.ts'
import type { sealMemory } from './seal-memory.ts'
import type { OwnNames } from './wallet.ts'

/** Returns the reads of the names of an account, each of which it signs for this server and path. */
export function ownNames({ transport, url, chain, account, now }: sealMemory.Parts): OwnNames {
  const read = async <T extends object>(path: string, page?: PageQuery): Promise<T> => {
    const timestamp = Math.floor(now() / 1000)
    const { host } = url
    const { chainId, pair } = chain
    const place = { host, chainId, registry: pair.registry }
    const request = { account: account.address, timestamp, method: 'GET', path }
    const message = namesText(place, request)
    const headers = {
      'x-wallet-address': account.address,
      'x-timestamp': `${timestamp}`,
      'x-signature': await account.signMessage({ message }),
    }
    const call = { method: 'GET', path: withQuery(path, page), options: {} } as const
    return decodeResponse<T>(await transport.send({ ...call, headers: () => headers }))
  }
  return {
    names: (page) => read<Page<SavedName>>('/api/names', page),
    versions: async (name, page) =>
      read<NamedVersions>(`/api/names/${encodeName(name)}/versions`, page),
  }
}
