import type { PageQuery } from '../../client/requests.ts'
import type { NamedVersions, Page, SavedName } from '../../client/responses.ts'
import type { Session } from '../tools/tool.ts'

type Options = { readonly signal: AbortSignal }

/** The reads of the private names of a session. */
export type SessionNames = {
  readonly names: (page: PageQuery, options: Options) => Promise<Page<SavedName>>
  readonly versions: (name: string, page: PageQuery, options: Options) => Promise<NamedVersions>
}

/**
 * Returns the names of a session: those of its own wallet if that may pay, or else those of its API
 * key or of the operator.
 */
export async function namesOf({ client, wallet: open }: Session): Promise<SessionNames> {
  const wallet = await open?.()
  if (wallet === undefined) {
    return {
      names: (page, options) => client.names(page, options),
      versions: (name, page, options) => client.memory(name).log(page, options),
    }
  }
  return wallet
}
