import { Failure, isFailure } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { isHeirloomError } from '../../client/heirloom-error.ts'
import { readPages } from '../../client/reads.ts'
import type { NamedVersion, SavedName, Token } from '../../client/responses.ts'
import { screenedTool } from '../guarded-tool.ts'
import { afterArgument, limitArgument } from '../tools/pages.ts'
import { type Session, smallTool } from '../tools/tool.ts'
import { argumentsSchema, longestGrantedName } from '../tools/tool-schemas.ts'
import { GrantArgument, namesOf, sessionBy } from './memory-argument.ts'

/** A memory that a session may read: the last version of a name, or a token that it owns or rents. */
export type OwnMemory = {
  /** The argument that names it: its name, or else its token id. */
  readonly memory: string
  readonly tokenId: string
  readonly title?: string | undefined
}

type Options = { readonly signal: AbortSignal }

/** The most names, and the most tokens, that are read: a name has a token for each of its versions. */
const most = 10_000

/**
 * Lists the memories of a session: names first, then tokens, the newest first. An earlier version of a
 * memory that is listed is left out, and so is what was erased.
 */
export async function listOwnMemories(session: Session, options: Options): Promise<OwnMemory[]> {
  const [names, tokens] = await Promise.all([
    readNames(session, options),
    readTokens(session, options),
  ])
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
  const both = await Promise.all([pages({ owner: account }), pages({ renter: account })])
  return [...new Map(both.flat().map((it) => [it.tokenId, it])).values()]
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

/** The tool that lists the memories of a session. */
export const memoriesTool = screenedTool(
  smallTool({
    reach: 'anyone',
    effect: 'reads',
    name: 'memories',
    title: 'List your memories',
    description:
      'Lists your names and the tokens you own or rent; with name, the versions of that name, newest first.',
    input: argumentsSchema({
      name: Type.Optional(
        Type.String({ maxLength: longestGrantedName, description: 'One of your names.' }),
      ),
      grant: GrantArgument,
      limit: limitArgument(20, 100),
      after: afterArgument,
    }),
    run: async (own, { name, grant, limit = 20, after }, { signal }) => {
      if (grant !== undefined && name === undefined) throw withoutName()
      const session = sessionBy(own, { name, grant })
      if (name === undefined)
        return listAll(await listOwnMemories(session, { signal }), limit, after)
      const names = await namesOf(session)
      const { items, next } = await names.versions(name, { limit, after }, { signal })
      return JSON.stringify({ name, versions: items.map(describe), next: next ?? undefined })
    },
  }),
)

const withoutName = () =>
  new Failure('value/invalid', { kind: 'name', problem: 'is missing: write it as 0x…:ada' })

const describe = (it: NamedVersion) => ({
  version: it.version,
  token: it.tokenId,
  bytes: it.documentBytes,
  saved: new Date(it.savedAt).toISOString(),
  ...(it.erasedAt !== null && { erased: true }),
})

type Listed = Awaited<ReturnType<typeof listOwnMemories>>

function listAll(all: Listed, limit: number, after: string | undefined): string {
  const start = startOf(all, after)
  const shown = all.slice(start, start + limit)
  const memories = shown.map(({ memory, tokenId, title }) =>
    memory === tokenId ? { token: tokenId, title } : { name: memory, token: tokenId },
  )
  const next = start + limit < all.length ? shown.at(-1)?.memory : undefined
  const note =
    all.length === 0 ? 'No memories yet: save makes one, and browse finds some.' : undefined
  return JSON.stringify({ memories, note, next })
}
