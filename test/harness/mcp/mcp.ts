import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { expect, inject } from 'vitest'
import type {} from '../../provide-folder.ts'
import { tier } from '../../tier.ts'
import { serverProgram } from '../process/server.ts'
import { hostedSession } from './hosted-session.ts'

/** A revision of the protocol. */
export type Revision = '2026-07-28' | '2025-11-25' | '2025-06-18' | '2025-03-26' | '2024-11-05'

/** One revision of each era. */
export const eras = ['2026-07-28', '2025-11-25'] as const satisfies readonly Revision[]

type Environment = Readonly<Record<string, string>>

type SchemaValidator = NonNullable<ClientOptions['jsonSchemaValidator']>

const ajv = new AjvJsonSchemaValidator()
const compiled = new Map<string, ReturnType<SchemaValidator['getValidator']>>()

/** Validates as a client does by default, and compiles each schema once for all sessions of a process. */
const jsonSchemaValidator: SchemaValidator = {
  getValidator: <T>(schema: Parameters<SchemaValidator['getValidator']>[0]) => {
    const key = JSON.stringify(schema)
    const known = compiled.get(key) ?? ajv.getValidator(schema)
    compiled.set(key, known)
    return known as ReturnType<typeof ajv.getValidator<T>>
  },
}

async function connect(transport: Transport, revision: Revision): Promise<Client> {
  const info = { name: 'test', version: '1' }
  const options: ClientOptions =
    revision === '2026-07-28'
      ? { jsonSchemaValidator, versionNegotiation: { mode: { pin: revision } } }
      : { jsonSchemaValidator, supportedProtocolVersions: [revision] }
  const client = new Client(info, options)
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe(revision)
  // The client validates results against the output schemas that it lists here.
  await client.listTools()
  return client
}

/** Returns a folder in which a wallet keeps what it spent, for one process alone. */
const stateFolder = () => join(inject('runFolder'), `state-${randomUUID()}`)

/** The sets of tools of a connection: every tool by default, and those of the program for none. */
type Sets = { readonly sets?: string | undefined }

const wordsOf = (sets: string) => ['mcp', ...(sets === '' ? [] : ['--tools', sets])]

const environmentOf = (environment: Environment) => ({
  PATH: process.env.PATH ?? '',
  HEIRLOOM_STATE_DIR: stateFolder(),
  ...environment,
})

/** Starts the MCP server of the command line in this process, or in the long tier in one of its own. */
export async function overStdio(
  environment: Environment,
  revision: Revision = '2026-07-28',
  { sets = 'all' }: Sets = {},
): Promise<{ readonly client: Client }> {
  if (tier === 'long') return startStdio(environment, revision, { sets })
  const transport = hostedSession({ words: wordsOf(sets), env: environmentOf(environment) })
  return { client: await connect(transport, revision) }
}

/** Starts the MCP server of the command line in a process of its own, and connects to it. */
export async function startStdio(
  environment: Environment,
  revision: Revision = '2026-07-28',
  { program = serverProgram, sets = 'all' }: Sets & { readonly program?: string } = {},
): Promise<{ readonly client: Client; readonly transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...wordsOf(sets)],
    env: environmentOf(environment),
    stderr: 'inherit',
  })
  return { client: await connect(transport, revision), transport }
}

/** Connects to the MCP endpoint of a server. */
export async function overHttp(
  url: string,
  revision: Revision = '2026-07-28',
  headers: Readonly<Record<string, string>> = {},
  path = '/mcp?tools=all',
): Promise<Client> {
  const requestInit = { headers: { ...headers } }
  return connect(new StreamableHTTPClientTransport(new URL(path, url), { requestInit }), revision)
}

type Arguments = Readonly<Record<string, unknown>>

/** Calls a tool that must succeed, and returns its structured result. */
export async function toolResult<T = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Arguments = {},
): Promise<T> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
  expect(isError ?? false, JSON.stringify(content)).toBe(false)
  const [summary, json] = content as { readonly text: string }[]
  expect(summary?.text).toMatch(/^[^\n]+\.$/)
  expect(JSON.parse(json?.text ?? '')).toEqual(structuredContent)
  return structuredContent as T
}

/** Calls a tool for a small context that must succeed, and returns its text. */
export async function toolText(
  client: Client,
  name: string,
  args: Arguments = {},
): Promise<string> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
  const texts = content as { readonly text: string }[]
  expect(isError ?? false, JSON.stringify(texts)).toBe(false)
  expect([texts.length, structuredContent]).toEqual([1, undefined])
  return `${texts[0]?.text}`
}

/** Calls a tool for a small context that must succeed, and returns the JSON of its text. */
export const toolJson = async (client: Client, name: string, args: Arguments = {}) =>
  JSON.parse(await toolText(client, name, args))

/** The failure of a tool call. */
export type ToolFailure = {
  readonly sentence: string
  readonly code: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly retryable: boolean
}

/** Calls a tool that must fail, and returns the failure. */
export async function toolFailure(
  client: Client,
  name: string,
  args: Arguments,
): Promise<ToolFailure> {
  const result = await client.callTool({ name, arguments: args })
  expect(result.isError).toBe(true)
  expect(result.structuredContent).toBeUndefined()
  const [text = ''] = (result.content as { readonly text: string }[]).map((it) => it.text)
  const [sentence = '', details = '{}'] = text.split('\n')
  return { sentence, ...JSON.parse(details) }
}
