import { Type } from '@sinclair/typebox'
import { parseVersion, type VersionOf } from '../../api/named-version.ts'
import { grantIdPattern } from '../../api/schemas/grant-schemas.ts'
import { findNamed } from '../../client/named-memory.ts'
import type { PageQuery } from '../../client/requests.ts'
import type { NamedVersion, NamedVersions, Page, SavedName } from '../../client/responses.ts'
import { type NameByGrant, readerOfName } from '../guard.ts'
import type { CallContext, Session } from '../tools/tool.ts'
import { longestGrantedName } from '../tools/tool-schemas.ts'

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

/** The argument of a call that reads or saves by a grant. */
export const GrantArgument = Type.Optional(
  Type.Unsafe<`0x${string}`>(
    Type.String({
      pattern: grantIdPattern,
      description: 'Grant of 0x…:ada.',
    }),
  ),
)

/**
 * Returns the session that reads and saves by a grant, where a call names one: its account signs.
 *
 * @throws `name/malformed` for a name of another account without a grant
 */
export function sessionBy(session: Session, by: NameByGrant): Session {
  const client = readerOfName(session.client, by)
  return by.grant === undefined
    ? session
    : { ...session, client, wallet: undefined, account: undefined }
}

/** The argument that names a memory. */
export const MemoryArgument = Type.String({
  minLength: 1,
  maxLength: longestGrantedName + 40,
  description: 'Token id, your name, or a version: 7, ada, ada@3, ada@2026-10-01.',
})

/** Returns the token of an argument that names a memory. */
export async function findToken(
  session: Session,
  memory: string,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<string> {
  if (/^(0|[1-9][0-9]{0,77})$/.test(memory)) return memory
  const { name, version } = parseVersion(memory) ?? { name: memory }
  return (await findVersion(session, name, { version, signal })).tokenId
}

type Chosen = {
  readonly version?: VersionOf | undefined
  readonly signal: AbortSignal
}

/** Returns a version of a name, the last one by default. @throws `name/not-found`, `client/no-version` */
export async function findVersion(
  session: Session,
  name: string,
  { version, signal }: Chosen,
): Promise<NamedVersion> {
  const names = await namesOf(session)
  return findNamed(name, version, (page) => names.versions(name, page, { signal }))
}
