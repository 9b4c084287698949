import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { Token } from '../client/responses.ts'
import { briefLineage } from './tools/brief.ts'
import { describeFailure } from './failure-result.ts'
import type { Session } from './tools/tool.ts'

const mimeType = 'application/json'

/** Offers every token of the catalogue, and its lineage, as a resource. */
export function registerResources(server: McpServer, session: Session): void {
  const { client } = session
  const complete = { id: (begun: string) => idsFrom(session, begun) }
  // Listed below: the SDK would list all of them at once.
  const at = (uri: string) => new ResourceTemplate(uri, { list: undefined, complete })
  const read = async (uri: URL, ask: () => Promise<object>) => {
    const text = JSON.stringify(await guarded(session, ask, uri))
    return { contents: [{ uri: uri.href, mimeType, text }] }
  }
  server.registerResource(
    'token',
    at('heirloom://token/{id}'),
    { title: 'A memory', description: 'A token as the catalogue shows it.', mimeType },
    (uri, { id }) => read(uri, async () => (await client.lineage(`${id}`)).token),
  )
  server.registerResource(
    'lineage',
    at('heirloom://token/{id}/lineage'),
    {
      title: 'Where a memory comes from',
      description: 'The kin of a token, and who would be paid how much of a price.',
      mimeType,
    },
    (uri, { id }) => read(uri, async () => briefLineage(await client.lineage(`${id}`))),
  )
  server.server.setRequestHandler('resources/list', ({ params }) => list(session, params?.cursor))
}

/** How many resources are told at a time, which is as many as the catalogue tells. */
const pageSize = 100

async function list(session: Session, after: string | undefined) {
  const ask = () => session.client.memories({ after, limit: pageSize })
  const { items, next } = await guarded(session, ask)
  const resources = items.map(resourceOf)
  return next === null ? { resources } : { resources, nextCursor: next }
}

const resourceOf = ({ tokenId, card }: Token) => ({
  uri: `heirloom://token/${tokenId}`,
  name: `token ${tokenId}`,
  title: card?.title ?? `Memory ${tokenId}`,
  mimeType,
})

// There is no search by the digits of an id, so what can be completed are the newest.
async function idsFrom(session: Session, begun: string): Promise<string[]> {
  const { items } = await guarded(session, () => session.client.memories({ limit: pageSize }))
  return items.map(({ tokenId }) => tokenId).filter((id) => id.startsWith(begun))
}

async function guarded<T>({ complain }: Session, ask: () => Promise<T>, uri?: URL): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const { code, message, facts, retryable } = describeFailure(error, complain)
    if (code === 'token/not-found' && uri !== undefined) throw new ResourceNotFoundError(uri.href)
    throw new ProtocolError(kindOf(code, retryable), message, { code, facts, retryable })
  }
}

const kindOf = (code: string, retryable: boolean) =>
  retryable || code === 'service/unexpected'
    ? ProtocolErrorCode.InternalError
    : ProtocolErrorCode.InvalidParams
