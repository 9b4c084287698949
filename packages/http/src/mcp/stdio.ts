import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { Failure } from '@heirloom/core'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createClient } from '../client/client.ts'
import type { Environment } from '../config.ts'
import { accountFrom } from './account-from.ts'
import { mcpServer } from './mcp-server.ts'
import { memoryFolder } from './memory-folder.ts'
import type { Reach, Session } from './tool.ts'

/**
 * Speaks MCP on standard input and output until the input ends. Memories are opened by an account
 * whose key stays in this process; writes go to the server, whose wallet pays.
 *
 * @throws `config/invalid`
 */
export async function runMcp(env: Environment): Promise<number> {
  const url = readUrl(env)
  const account = accountFrom(env, url)
  const apiKey = env.HEIRLOOM_API_KEY || undefined
  const folder = await readFolder(env)
  const session: Session = {
    client: createClient({ url, account, apiKey }),
    account: account?.address,
    folder: folder === undefined ? undefined : memoryFolder(folder),
    complain,
  }
  const reach: Reach = folder === undefined ? 'owner' : 'folder'
  const ended = once(process.stdin, 'close')
  serveStdio(() => mcpServer(session, reach), { onerror: complain })
  await ended
  return 0
}

// Standard output belongs to the protocol.
function complain(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
}

function readUrl(env: Environment): URL {
  const text = env.HEIRLOOM_URL || 'http://127.0.0.1:3000'
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new Failure('config/invalid', { name: 'HEIRLOOM_URL', problem: 'must be an http address' })
}

async function readFolder({ HEIRLOOM_FOLDER: folder }: Environment): Promise<string | undefined> {
  if (folder === undefined || folder === '') return undefined
  const about = await stat(folder).catch(() => undefined)
  if (about?.isDirectory()) return folder
  throw new Failure('config/invalid', { name: 'HEIRLOOM_FOLDER', problem: 'must be a folder' })
}
