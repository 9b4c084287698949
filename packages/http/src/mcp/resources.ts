import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { Token } from '../client/responses.ts'
import { describeFailure } from './failure-result.ts'
import { briefLineage } from './tools/brief.ts'
import type { Session } from './tools/tool.ts'

const mimeType = 'application/json'

/** Registers every token of the catalogue, and its lineage, as a resource. */
export function registerResources(server: McpServer, session: Session): void {
  const { client } = session
  const complete = { id: (prefix: string) => completeId(session, prefix) }
  // `resources/list` is handled below, as the SDK has no paging.
  const template = (uri: string) => new ResourceTemplate(uri, { list: undefined, complete })
  const read = async (uri: URL, load: () => Promise<object>) => {
    const text = JSON.stringify(await translateErrors(session, load, uri))
    return { contents: [{ uri: uri.href, mimeType, text }] }
  }
  server.registerResource(
    'token',
    template('heirloom://token/{id}'),
    { title: 'A memory', description: 'A token with its owner, card and terms.', mimeType },
    (uri, { id }) => read(uri, async () => (await client.lineage(`${id}`)).token),
  )
  server.registerResource(
    'lineage',
    template('heirloom://token/{id}/lineage'),
    {
      title: 'The lineage of a memory',
      description: 'The ancestors and descendants of a token, and the royalty split of a price.',
      mimeType,
    },
    (uri, { id }) => read(uri, async () => briefLineage(await client.lineage(`${id}`))),
  )
  server.server.setRequestHandler('resources/list', ({ params }) =>
    listResources(session, params?.cursor),
  )
}

/** The resources of one page, the most that the catalogue returns. */
const pageSize = 100

async function listResources(session: Session, after: string | undefined) {
  const load = () => session.client.memories({ after, limit: pageSize })
  const { items, next } = await translateErrors(session, load)
  const resources = items.map(resourceOf)
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

async function translateErrors<T>(
  { reportError }: Session,
  load: () => Promise<T>,
  uri?: URL,
): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code, message, facts, retryable } = describeFailure(error, reportError)
    if (code === 'token/not-found' && uri !== undefined) throw new ResourceNotFoundError(uri.href)
    throw new ProtocolError(errorCodeOf(code, retryable), message, { code, facts, retryable })
  }
}

const errorCodeOf = (code: string, retryable: boolean) =>
  retryable || code === 'service/unexpected'
    ? ProtocolErrorCode.InternalError
    : ProtocolErrorCode.InvalidParams
