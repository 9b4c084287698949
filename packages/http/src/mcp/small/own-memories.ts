import { Failure, isFailure } from '@heirloom/core'
import { isHeirloomError } from '../../client/heirloom-error.ts'
import { readPages } from '../../client/read-pages.ts'
import type { SavedName, Token } from '../../client/responses.ts'
import type { Session } from '../tools/tool.ts'
import { namesOf } from './names-of.ts'

/** A memory that a session may read: the last version of a name, or a token that it owns or rents. */
export type OwnMemory = {
  /** The argument that names it: its name, or else its token id. */
  readonly memory: string
  readonly tokenId: string
  readonly title?: string | undefined
}

type Options = { readonly signal: AbortSignal }

/** The most names, and the most tokens, that are listed. */
const most = 1000

/**
 * Lists the memories of a session: names first, then tokens, the newest first. An earlier version of a
 * memory that is listed is left out, and so is what was erased.
 */
export async function listOwnMemories(session: Session, options: Options): Promise<OwnMemory[]> {
  const names = await readNames(session, options)
  const tokens = await readTokens(session, options)
  const later = new Set(names.map(({ last }) => last.tokenId))
  const named = names.filter(({ last }) => last.erasedAt === null)
  return [
    ...named.map(({ name, last }) => ({ memory: name, tokenId: last.tokenId })),
    ...newestOf(tokens, later).map(({ tokenId, card }) => ({
      memory: tokenId,
      tokenId,
      title: card?.title,
    })),
  ]
}

/**
 * Returns the place after the memory where the last result ended.
 *
 * @throws `value/invalid` for a memory that is not listed
 */
export function startOf(all: readonly OwnMemory[], after: string | undefined): number {
  if (after === undefined) return 0
  const last = all.findIndex(({ memory }) => memory === after)
  if (last >= 0) return last + 1
  const problem = 'names no memory of the last result any longer: leave it out to start again'
  throw new Failure('value/invalid', { kind: 'cursor', problem })
}

/** Returns the tokens that no later version replaces, and that are not in `named` already. */
function newestOf(tokens: readonly Token[], named: ReadonlySet<string>): readonly Token[] {
  const replaced = new Set<string>()
  const makers = new Map(tokens.map(({ tokenId, creator }) => [tokenId, creator]))
  for (const { parent, link, creator } of tokens) {
    if (link === 'declared' && makers.get(parent) === creator) replaced.add(parent)
  }
  return tokens.filter(
    ({ tokenId, erasedAt }) => erasedAt === null && !named.has(tokenId) && !replaced.has(tokenId),
  )
}

async function readTokens({ client, account }: Session, options: Options): Promise<Token[]> {
  if (account === undefined) return []
  const pages = (filter: object) =>
    readPages((after) => client.memories({ ...filter, after, limit: 100 }, options), { most })
  const both = [...(await pages({ owner: account })), ...(await pages({ renter: account }))]
  return [...new Map(both.map((it) => [it.tokenId, it])).values()]
}

async function readNames(session: Session, options: Options): Promise<SavedName[]> {
  try {
    const names = await namesOf(session)
    return await readPages((after) => names.names({ after, limit: 100 }, options), { most })
  } catch (error) {
    if (hasNoNames(error)) return []
    throw error
  }
}

/** Failures of a session that has no names at this server. */
const withoutNames: readonly string[] = ['name/no-owner', 'request/not-authorized']

/** Returns whether a failure says that a session has no names at this server. */
export const hasNoNames = (error: unknown): boolean =>
  (isHeirloomError(error) || isFailure(error)) && withoutNames.includes(error.code)
