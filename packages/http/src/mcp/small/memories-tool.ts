import { Type } from '@sinclair/typebox'
import type { NamedVersion } from '../../client/responses.ts'
import { screenedTool } from '../screened-tool.ts'
import { smallTool } from '../tools/tool.ts'
import { argumentsSchema } from '../tools/tool-schemas.ts'
import { namesOf } from './names-of.ts'
import { listOwnMemories, startOf } from './own-memories.ts'
import { afterArgument, limitArgument } from './page-arguments.ts'

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
      name: Type.Optional(Type.String({ maxLength: 128, description: 'One of your names.' })),
      limit: limitArgument(20, 100),
      after: afterArgument,
    }),
    run: async (session, { name, limit = 20, after }, { signal }) => {
      if (name === undefined)
        return listAll(await listOwnMemories(session, { signal }), limit, after)
      const names = await namesOf(session)
      const { items, next } = await names.versions(name, { limit, after }, { signal })
      return JSON.stringify({ name, versions: items.map(describe), next: next ?? undefined })
    },
  }),
)

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
