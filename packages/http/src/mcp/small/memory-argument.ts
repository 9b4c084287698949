import { Failure } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { noVersion } from '../../client/named-memory.ts'
import type { NamedVersion } from '../../client/responses.ts'
import type { CallContext, Session } from '../tools/tool.ts'
import { namesOf } from './names-of.ts'

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
