import { type McpServer, type Resource, ResourceTemplate } from '@modelcontextprotocol/server'
import { translateErrors } from './failure-result.ts'
import { guardText } from './guard.ts'
import { outlineText } from './small/inside-tools.ts'
import { findToken, namesOf } from './small/memory-argument.ts'
import { hasNoNames } from './small/own-memories.ts'
import { mostCharacters } from './tools/open-memory.ts'
import type { Session } from './tools/tool.ts'

type Options = { readonly signal: AbortSignal }

/** Registers the last version of every name of a session as a resource. */
export function registerNameResources(server: McpServer, session: Session): void {
  const complete = { name: (prefix: string) => completeName(session, prefix) }
  server.registerResource(
    'name',
    new ResourceTemplate('heirloom://name/{name}', { list: undefined, complete }),
    {
      title: 'A memory of yours',
      description: 'The last version of a name: its JSON, or what is in it when it is long.',
    },
    async (uri, { name }, { mcpReq: { signal } }) => {
      const content = await translateErrors(
        session,
        () => readName(session, decodeURIComponent(`${name}`), { signal }),
        uri,
      )
      return { contents: [{ uri: uri.href, ...content }] }
    },
  )
}

async function readName(session: Session, name: string, options: Options) {
  const tokenId = await findToken(session, name, options)
  const guard = (text: string) => guardText(session.client, text, { tokenId, ...options })
  const outline = await session.client.outline(tokenId, { depth: 2 }, options)
  if (outline.bytes > mostCharacters) {
    const text = `Too long for a resource; the tool read_part reads parts of it.\n${outlineText(JSON.parse((await guard(JSON.stringify(outline))).text))}`
    return { mimeType: 'text/plain', text }
  }
  const { text } = await session.client.part(tokenId, '', options)
  const { text: left } = await guard(new TextDecoder().decode(text))
  return { mimeType: 'application/json', text: left }
}

/** Returns a page of the names of a session as resources; none where it has no names. */
export async function listNames(session: Session, after: string | undefined, options: Options) {
  try {
    const names = await namesOf(session)
    const { items, next } = await names.names({ after, limit: 100 }, options)
    return { resources: items.map(({ name }) => resourceOf(name)), next }
  } catch (error) {
    if (hasNoNames(error)) return { resources: [], next: null }
    throw error
  }
}

const resourceOf = (name: string): Resource => ({
  uri: `heirloom://name/${encodeURIComponent(name)}`,
  name,
  title: name,
})

async function completeName(session: Session, prefix: string): Promise<string[]> {
  const { signal } = new AbortController()
  const { resources } = await translateErrors(session, () =>
    listNames(session, undefined, { signal }),
  )
  return resources.map(({ name }) => name).filter((name) => name.startsWith(prefix))
}
