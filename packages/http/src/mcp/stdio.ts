import { stat } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { Failure } from '@heirloom/core'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ToolSet } from '../api/tool-sets.ts'
import type { Account } from '../client/access-proof.ts'
import type { Client } from '../client/client.ts'
import type { Environment } from '../config/config.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { answeringTransport } from './answering-transport.ts'
import { mcpServer } from './mcp-server.ts'
import { memoryFolder } from './tools/memory-folder.ts'
import type { Reach, Session } from './tools/tool.ts'

/**
 * Serves MCP on standard input and output until the input ends and its requests are answered. The account that opens memories
 * keeps its key in this process. The agent wallet of the server pays for writes, except for those of
 * the own wallet, if there is one.
 *
 * @throws `config/invalid`
 */
export async function runMcp({
  terminal,
  client,
  account,
  wallet,
  sets,
}: runMcp.Input): Promise<number> {
  const folder = await readFolder(terminal.env)
  const reportError = reportTo(terminal)
  const session: Session = {
    client,
    account: account?.address,
    wallet: wallet && memoize(wallet),
    folder: folder === undefined ? undefined : memoryFolder(folder),
    reportError,
  }
  const reaches: readonly Reach[] = [
    'owner',
    ...(folder === undefined ? [] : (['folder'] as const)),
    ...(wallet === undefined ? [] : (['own'] as const)),
  ]
  const { transport, closed } = answeringTransport(terminal.stdin, terminal.stdout)
  serveStdio(() => mcpServer(session, { reaches, sets }), { onerror: reportError, transport })
  await closed
  return 0
}

export declare namespace runMcp {
  type Input = {
    /** The environment, and the streams on which the protocol runs and errors are reported. */
    readonly terminal: {
      readonly env: Environment
      readonly stdin: Readable
      readonly stdout: Writable
      readonly stderr: Writable
    }
    readonly client: Client
    /** The account of the client; it opens memories, and receives bought, rented and forked tokens. */
    readonly account: Account | undefined
    /** Opens the own wallet, which pays by itself; absent where it may not. */
    readonly wallet: (() => Promise<Wallet>) | undefined
    readonly sets: readonly ToolSet[]
  }
}

/** Returns a function that opens the wallet at its first call; a failed call is repeated. */
function memoize(open: () => Promise<Wallet>): () => Promise<Wallet> {
  let opened: Promise<Wallet> | undefined
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}

// Standard output is reserved for the protocol.
const reportTo =
  ({ stderr }: Pick<runMcp.Input['terminal'], 'stderr'>) =>
  (error: unknown): void => {
    stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  }

async function readFolder({ HEIRLOOM_FOLDER: folder }: Environment): Promise<string | undefined> {
  if (folder === undefined || folder === '') return undefined
  const stats = await stat(folder).catch(() => undefined)
  if (stats?.isDirectory()) return folder
  throw new Failure('config/invalid', { name: 'HEIRLOOM_FOLDER', problem: 'must be a folder' })
}
