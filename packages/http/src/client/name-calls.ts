import { isHeirloomError } from './heirloom-error.ts'
import type { PageQuery, TokenIdInput } from './requests.ts'
import type { ForgottenName, NamedVersions, Page, RenamedName, SavedName } from './responses.ts'
import { decodeResponse } from './transport/decode-response.ts'
import { readsOver } from './transport/reads-over.ts'
import { encodeJson, encodeTokenId, requestLine, requireName } from './transport/request-line.ts'
import type { CallOptions, Transport } from './transport/transport.ts'
import { withQuery } from './transport/with-query.ts'

type Options = Pick<CallOptions, 'signal'>

/** The calls for private names. */
export type NameCalls = {
  /** Returns the names with their last versions, in pages. */
  readonly names: (page?: PageQuery, options?: Options) => Promise<Page<SavedName>>
  /** Returns a name with its last version. */
  readonly findName: (name: string, options?: Options) => Promise<SavedName>
  /** Returns the versions of a name, the newest first. */
  readonly versions: (name: string, page?: PageQuery, options?: Options) => Promise<NamedVersions>
  /** Gives a name with all its versions another text, one without versions. */
  readonly renameName: (name: string, to: string, options?: Options) => Promise<RenamedName>
  /**
   * Forgets a name and the list of its versions; their tokens and memories stay. Returns
   * how many grants of it ended. Fails with
   * `name/moved` when its last version is another token than `after`, or than the one at the call.
   */
  readonly forgetName: (
    name: string,
    options?: Options & { readonly after?: TokenIdInput | undefined },
  ) => Promise<ForgottenName>
}

/** Creates the calls for names over a function that sends a request for them, with retries. */
export function createNameCalls(send: Transport['send']): NameCalls {
  const read = readsOver(send)
  const findName: NameCalls['findName'] = read('findName')
  return {
    names: read('names', true),
    findName,
    versions: read('versions', true),
    renameName: async (name, to, options = {}) => {
      requireName(to)
      const { last } = await findName(name, options)
      const body = encodeJson({ name: to })
      try {
        return decodeResponse(await send({ ...requestLine('renameName', name), body, options }))
      } catch (error) {
        // A try whose answer was lost may have renamed it. A token is a version of one name alone.
        const found = isNameMissing(error)
          ? await findName(to, options).catch(() => undefined)
          : undefined
        if (found?.last.tokenId === last.tokenId) return found
        throw error
      }
    },
    forgetName: async (name, { after, ...options } = {}) => {
      const { last } = await findName(name, options)
      // A try after one whose answer was lost must not remove a line that has begun since.
      const query = { after: encodeTokenId(after ?? last.tokenId, 'after') }
      const { method, path } = requestLine('forgetName', name)
      const reply = send({ method, path: withQuery(path, query), options })
      const found = await reply.catch((error) => {
        // It was there, so a try whose answer was lost has forgotten it.
        if (!isNameMissing(error)) throw error
      })
      return found?.status === 200 ? decodeResponse(found) : { endedGrants: 0 }
    },
  }
}

/** Returns whether a failure says that a name has no version. */
export const isNameMissing = (error: unknown): boolean =>
  isHeirloomError(error) && error.code === 'name/not-found'
