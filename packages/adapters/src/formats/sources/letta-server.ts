import { decodeUtf8, listOf } from '../importers/json-file.ts'
import { type SourceFile, throwMalformed } from '../source-file.ts'
import { type LiveServer, requestBytes } from './bounded-request.ts'
import type { ReadSource } from './read-source.ts'

/** The address of Letta's own service. */
export const lettaCloud = 'https://api.letta.com'

/**
 * Reads an agent from a server of Letta, as the agent file that it exports, byte for byte.
 * (`GET /v1/agents/{agent_id}/export` of its HTTP interface.)
 *
 * @throws `import/malformed`
 */
export async function readLettaAgent(server: LiveServer, agentId: string): Promise<ReadSource> {
  const path = `/v1/agents/${encodeURIComponent(agentId)}/export`
  const headers = { accept: 'application/json', ...authorization(server) }
  const bytes = await requestBytes({ server, path, init: { headers } })
  return { file: { path: 'agent.af', bytes }, left: [] }
}

/**
 * Creates the agents of an agent file on a server of Letta, and returns their ids there.
 * (`POST /v1/agents/import` of its HTTP interface.)
 *
 * @throws `import/malformed`
 */
export async function writeLettaAgent(
  server: LiveServer,
  { path: name, bytes }: SourceFile,
): Promise<readonly string[]> {
  const body = new FormData()
  body.append('file', new File([Uint8Array.from(bytes)], name, { type: 'application/json' }))
  const init = { method: 'POST', headers: authorization(server), body }
  const answer = await requestBytes({ server, path: '/v1/agents/import', init, most: 2 ** 20 })
  const ids = listOf(tryParse(answer), 'agent_ids').filter((id) => typeof id === 'string')
  if (ids.length === 0) throwMalformed('The server', 'it does not name the agents that it made')
  return ids
}

const authorization = ({ apiKey }: LiveServer) =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

function tryParse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
}
