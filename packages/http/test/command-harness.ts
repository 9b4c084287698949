import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, vi } from 'vitest'
import { longestWait } from '../../../test/tier.ts'
import { runCommand } from '../src/cli/run-command.ts'
import { type Environment, readConfig } from '../src/config/config.ts'
import { serve } from '../src/server/serve.ts'

/** The exit code and the output of a command. */
export type CommandResult = { readonly code: number; readonly out: string; readonly err: string }

/** The environment of a command; its streams are no terminals by default. */
export type RunOptions = {
  readonly env?: Environment
  readonly input?: string | Uint8Array
  readonly isTTY?: boolean
  readonly interrupted?: AbortSignal
}

/** Runs a command in this process. */
export async function run(words: readonly string[], at: RunOptions = {}): Promise<CommandResult> {
  const { env: given = {}, input = '', isTTY = false, interrupted } = at
  const [stdout, stderr] = [outputOf(isTTY), outputOf(isTTY)]
  const { XDG_STATE_HOME } = process.env
  const env = { XDG_STATE_HOME, XDG_CONFIG_HOME: XDG_STATE_HOME, ...given }
  const code = await runCommand(words, {
    env,
    stdin: Object.assign(Readable.from([Buffer.from(input)]), { isTTY }),
    stdout,
    stderr,
    interrupted: () => interrupted ?? new AbortController().signal,
    comeLast: () => undefined,
    stopped: () => new Promise(() => undefined),
  })
  return { code, out: stdout.text(), err: stderr.text() }
}

function outputOf(isTTY: boolean) {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return Object.assign(stream, { isTTY, text: () => Buffer.concat(chunks).toString() })
}

/** A folder for the files that a test writes. */
export let folder: string
/** The environment of commands that run on the machine of the server. */
export let here: Environment & { readonly HEIRLOOM_URL: string }

/** Starts a server for the tests of a file. */
export function withServer(variables: Environment = {}): void {
  let close: () => Promise<void>
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'command-'))
    const DATA_DIR = join(folder, '.heirloom')
    const config = { DATA_DIR, PORT: '0', LOG_LEVEL: 'silent', ...variables }
    const server = await serve(readConfig(config))
    close = server.close
    await server.ready
    here = { DATA_DIR, HEIRLOOM_URL: server.url }
  })
  afterAll(async () => {
    await close()
    rmSync(folder, { recursive: true })
  })
}

/** Runs a command against that server, requires success, and returns its JSON. */
export async function runJson(...words: readonly string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await run([...words, '--json'], { env: here })
  if (code !== 0) throw new Error(err)
  return JSON.parse(out)
}

/** Snapshots a memory with the wallet of the server, and returns the token id. */
export async function mintToken(
  data: object = { mood: 'calm' },
  ...more: string[]
): Promise<string> {
  const words = ['snapshot', '-', '--category', 'research', '--json', ...more]
  const { out } = await run(words, { env: here, input: JSON.stringify(data) })
  const { tokenId } = JSON.parse(out)
  await waitForCatalogue(tokenId)
  return tokenId
}

/** Waits until the catalogue has a token. */
async function waitForCatalogue(id: string): Promise<void> {
  const url = new URL(`/api/memory/${id}/lineage`, here.HEIRLOOM_URL)
  await vi.waitUntil(async () => (await fetch(url)).ok, { interval: 20, timeout: longestWait })
}
