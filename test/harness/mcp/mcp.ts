import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import { serverProgram } from '../process/server.ts'

/** A revision of the protocol. */
export type Revision = '2026-07-28' | '2025-11-25' | '2025-06-18' | '2025-03-26' | '2024-11-05'

/** One revision of each era. */
export const eras = ['2026-07-28', '2025-11-25'] as const satisfies readonly Revision[]

type Environment = Readonly<Record<string, string>>

async function connected(transport: Transport, revision: Revision): Promise<Client> {
  const info = { name: 'test', version: '1' }
  const options: ClientOptions =
    revision === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] }
  const client = new Client(info, options)
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe(revision)
  // From what tools declare the client knows what to hold their answers against.
  await client.listTools()
  return client
}

/** Connects to a command line that speaks MCP, started as its user would start it. */
export async function overStdio(
  environment: Environment,
  revision: Revision = '2026-07-28',
  program = serverProgram,
): Promise<{ readonly client: Client; readonly transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: { PATH: process.env.PATH ?? '', ...environment },
    stderr: 'inherit',
  })
  return { client: await connected(transport, revision), transport }
}

/** Connects to a server over HTTP. */
export async function overHttp(
  url: string,
  revision: Revision = '2026-07-28',
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const requestInit = { headers: { ...headers } }
  return connected(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }),
    revision,
  )
}

type Arguments = Readonly<Record<string, unknown>>

/** Calls a tool that must do what it is asked, and returns what it tells. */
export async function toolResult<T = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Arguments = {},
): Promise<T> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
  expect(isError ?? false, JSON.stringify(content)).toBe(false)
  const [said, json] = content as { readonly text: string }[]
  expect(said?.text).toMatch(/^[^\n]+\.$/)
  expect(JSON.parse(json?.text ?? '')).toEqual(structuredContent)
  return structuredContent as T
}

/** What a tool tells of a failure. */
export type ToolFailure = {
  readonly sentence: string
  readonly code: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly retryable: boolean
}

/** Calls a tool that must fail, and returns what it tells of it. */
export async function toolFailure(client: Client, name: string, args: Arguments): Promise<ToolFailure> {
  const result = await client.callTool({ name, arguments: args })
  expect(result.isError).toBe(true)
  expect(result.structuredContent).toBeUndefined()
  const [text = ''] = (result.content as { readonly text: string }[]).map((it) => it.text)
  const [sentence = '', more = '{}'] = text.split('\n')
  return { sentence, ...JSON.parse(more) }
}
