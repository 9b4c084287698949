import { Failure } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { noVersion } from '../../client/named-memory.ts'
import type { PageQuery } from '../../client/requests.ts'
import type { NamedVersion, NamedVersions, Page, SavedName } from '../../client/responses.ts'
import type { CallContext, Session } from '../tools/tool.ts'

type Options = { readonly signal: AbortSignal }

/** The reads of the private names of a session. */
type SessionNames = {
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

/** The argument that names a memory. */
export const MemoryArgument = Type.String({
  minLength: 1,
  maxLength: 140,
  description: 'Token id, your name, or a version: 7, ada, ada@3.',
})

/** Returns the token of an argument that names a memory. */
export async function findToken(
  session: Session,
  memory: string,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<string> {
  if (/^(0|[1-9][0-9]{0,77})$/.test(memory)) return memory
  const [, line = memory, number] = /^(.+)@([1-9][0-9]{0,8})$/u.exec(memory) ?? []
  const version = number === undefined ? undefined : Number(number)
  return (await findVersion(session, line, { version, signal })).tokenId
}

/** Returns a version of a name, the last one by default. @throws `name/not-found` */
export async function findVersion(
  session: Session,
  name: string,
  { version, signal }: { readonly version?: number | undefined; readonly signal: AbortSignal },
): Promise<NamedVersion> {
  const after = version === undefined ? undefined : `${version + 1}`
  const names = await namesOf(session)
  const [found] = (await names.versions(name, { after, limit: 1 }, { signal })).items
  if (found === undefined) throw new Failure('name/not-found', { name })
  if (version === undefined || found.version === version) return found
  throw noVersion(name, version)
}
