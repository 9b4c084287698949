import type { LiveServer, Mem0Filter, ReadSource } from '@heirloom/adapters/formats/sources'
import { type Call, UsageError } from '../arguments/command.ts'

type LiveCall = Pick<Call, 'terminal' | 'signal'>

/** Returns whether a path names a live server or a database instead of a file. */
export const isLive = (path: string): boolean => /^(?:letta|mem0|postgres|postgresql):/.test(path)

/**
 * Reads a memory from where its program stores it: `letta:AGENT`, `mem0:user_id=ada` or
 * `postgres://host/database`.
 *
 * @throws a `UsageError` for an address that names too little, or a password
 */
export async function readLive(
  call: LiveCall,
  path: string,
  thread: string | undefined,
): Promise<ReadSource> {
  const sources = await import('@heirloom/adapters/formats/sources')
  const [, scheme, rest = ''] = /^([a-z0-9]+):(.*)$/s.exec(path) ?? []
  if (scheme === 'letta') return sources.readLettaAgent(await lettaServer(call), agentOf(rest))
  if (scheme === 'mem0') {
    return sources.readMem0Memories(await mem0Server(call), filterOf(rest))
  }
  const { url, schema } = readPostgresAddress(path)
  return sources.readPostgresCheckpoints(url, { thread, schema })
}

function agentOf(rest: string): string {
  if (/^[\w.-]{1,128}$/.test(rest)) return rest
  throw new UsageError(
    'Name the agent, as in letta:agent-4f0c…; its id is in its address in Letta.',
  )
}

/** Returns the server of Letta that the environment names, as Letta's own clients do. */
export async function lettaServer({ terminal, signal }: LiveCall): Promise<LiveServer> {
  const { lettaCloud } = await import('@heirloom/adapters/formats/sources')
  const { LETTA_BASE_URL: url = lettaCloud, LETTA_API_KEY: apiKey } = terminal.env
  return { url, apiKey, signal }
}

async function mem0Server({ terminal, signal }: LiveCall): Promise<LiveServer> {
  const { mem0Cloud } = await import('@heirloom/adapters/formats/sources')
  const { MEM0_HOST: url = mem0Cloud, MEM0_API_KEY: apiKey } = terminal.env
  return { url, apiKey, signal }
}

const filterNames = ['user_id', 'agent_id', 'app_id', 'run_id'] as const

function filterOf(rest: string): Mem0Filter {
  const given = [...new URLSearchParams(rest)]
  const isKnown = given.every(
    ([name, value]) => filterNames.some((it) => it === name) && value !== '',
  )
  if (given.length > 0 && isKnown) return Object.fromEntries(given)
  throw new UsageError(`Say whose memories, as in mem0:user_id=ada; ${filterNames.join(', ')}.`)
}

/** Splits the schema off the address of a database. @throws a `UsageError` for a password in it */
export function readPostgresAddress(path: string) {
  const url = URL.canParse(path) ? new URL(path) : undefined
  if (url === undefined) throw new UsageError('The address of the database is no URL.')
  if (url.password !== '' || url.searchParams.has('password')) {
    throw new UsageError('Other users see a password in an address; set PGPASSWORD instead.')
  }
  const schema = url.searchParams.get('schema') ?? undefined
  url.searchParams.delete('schema')
  return { url: url.href, schema }
}
