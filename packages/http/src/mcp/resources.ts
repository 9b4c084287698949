import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Token } from '../client/responses.ts'
import { translateErrors } from './failure-result.ts'
import { guardObject, screenText } from './guard.ts'
import { listNames, registerNameResources } from './name-resources.ts'
import { briefLineage } from './tools/brief.ts'
import type { Reach, Session } from './tools/tool.ts'

const mimeType = 'application/json'

/** Registers the names of a session, every token of the catalogue, and its lineage as resources. */
export function registerResources(
  server: McpServer,
  session: Session,
  reaches: readonly Reach[],
): void {
  const { client } = session
  const hasNames = reaches.some((it) => it !== 'anyone')
  if (hasNames) registerNameResources(server, session)
  const complete = { id: (prefix: string) => completeId(session, prefix) }
  // `resources/list` is handled below, as the SDK has no paging.
  const template = (uri: string) => new ResourceTemplate(uri, { list: undefined, complete })
  const read = async (uri: URL, load: () => Promise<string>) => {
    const text = await translateErrors(session, load, uri)
    return { contents: [{ uri: uri.href, mimeType, text }] }
  }
  server.registerResource(
    'token',
    template('heirloom://token/{id}'),
    { title: 'A memory', description: 'A token with its owner, card and terms.', mimeType },
    (uri, { id }, { mcpReq: { signal } }) =>
      read(uri, async () => {
        const { token } = await client.lineage(`${id}`, {}, { signal })
        return guardObject(client, JSON.stringify(token), { tokenId: token.tokenId, signal })
      }),
  )
  server.registerResource(
    'lineage',
    template('heirloom://token/{id}/lineage'),
    {
      title: 'The lineage of a memory',
      description: 'The ancestors and descendants of a token, and the royalty split of a price.',
      mimeType,
    },
    (uri, { id }, { mcpReq: { signal } }) =>
      read(uri, async () => {
        const lineage = briefLineage(await client.lineage(`${id}`, {}, { signal }))
        return screenText(client, JSON.stringify(lineage), { signal })
      }),
  )
  server.server.setRequestHandler('resources/list', ({ params }, { mcpReq: { signal } }) =>
    listResources(session, { cursor: params?.cursor, hasNames, signal }),
  )
}

/** The resources of one page, the most that the catalogue returns. */
const pageSize = 100

/** The cursors of names, and the one of the first tokens, which come after them. */
const namesCursor = 'names:'
const tokensCursor = 'tokens'

type ListRequest = {
  readonly cursor: string | undefined
  readonly hasNames: boolean
  readonly signal: AbortSignal
}

async function listResources(session: Session, { cursor, hasNames, signal }: ListRequest) {
  const isOfNames = cursor?.startsWith(namesCursor) ?? hasNames
  if (!isOfNames)
    return listTokens(session, cursor === tokensCursor ? undefined : cursor, { signal })
  const after = cursor?.slice(namesCursor.length)
  const { resources, next } = await translateErrors(session, () =>
    listNames(session, after, { signal }),
  )
  if (resources.length === 0) return listTokens(session, undefined, { signal })
  return { resources, nextCursor: next === null ? tokensCursor : `${namesCursor}${next}` }
}

async function listTokens(
  session: Session,
  after: string | undefined,
  { signal }: Pick<ListRequest, 'signal'>,
) {
  const load = () => session.client.memories({ after, limit: pageSize }, { signal })
  const { items, next } = await translateErrors(session, load)
  const all = JSON.stringify(items.map(resourceOf))
  const resources: ReturnType<typeof resourceOf>[] = JSON.parse(
    await screenText(session.client, all, { signal }),
  )
  return next === null ? { resources } : { resources, nextCursor: next }
}

const resourceOf = ({ tokenId, card }: Token) => ({
  uri: `heirloom://token/${tokenId}`,
  name: `token ${tokenId}`,
  title: card?.title ?? `Memory ${tokenId}`,
  mimeType,
})

// The API has no search by the prefix of an id, so only the newest tokens are completed.
async function completeId(session: Session, prefix: string): Promise<string[]> {
  const { items } = await translateErrors(session, () =>
    session.client.memories({ limit: pageSize }),
  )
  return items.map(({ tokenId }) => tokenId).filter((id) => id.startsWith(prefix))
}
