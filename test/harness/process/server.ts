import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { LocalAccount } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { builtProgram } from '../../../packages/http/test/built-program.ts'
import { tier } from '../../tier.ts'
import { end, firstLine } from './child-process.ts'
import { hostCommand } from './hosted-command.ts'
import type { MemoryLimit } from './memory-limit.ts'

/** The program of the server. */
export const serverProgram: string = builtProgram

/** A program for a shell that runs each command as a process. */
export const launcher = `#!/bin/sh\nexec '${process.execPath}' '${serverProgram}' "$@"\n`

/** A server in its own process. */
export type RunningServer = {
  readonly url: string
  readonly process: ChildProcess
  /** Ends the process with a signal, and returns its exit code or signal. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals | null>
}

/** Settings of a server. */
export type Environment = Readonly<Record<string, string>>

/**
 * Starts a server on a free port, and waits until it prints its address.
 *
 * @throws an error with its standard error, when it does not start
 */
export async function startServer(
  environment: Environment,
  program = serverProgram,
  limit?: Pick<MemoryLimit, 'command'>,
  options: readonly string[] = [],
): Promise<RunningServer> {
  const words = [program, 'serve', ...options]
  const [command, rest] = limit?.command(process.execPath, words) ?? [process.execPath, words]
  const server = spawn(command, rest, {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors = text(server.stderr)
  const url = await firstLine(server.stdout).catch(async () => {
    throw new Error((await errors).trim())
  })
  return { url, process: server, end: (signal) => end(server, signal) }
}

/** A server that runs in this process, or in the long tier in one of its own. */
export type HostedServer = {
  readonly url: string
  /** Stops the server as SIGTERM does, and returns its exit code. */
  readonly end: () => Promise<number>
}

/**
 * Starts a server on a free port, for tests that neither kill nor measure it nor call it from a
 * synchronous process, and waits until it prints its address.
 *
 * @throws an error with its standard error, when it does not start
 */
export async function hostServer(
  environment: Environment,
  ...options: readonly string[]
): Promise<HostedServer> {
  // NODE_OPTIONS, which another clock needs, holds for a whole process.
  if (tier === 'long' || environment.NODE_OPTIONS !== undefined) {
    const { url, end } = await startServer(environment, serverProgram, undefined, options)
    return { url, end: async () => Number(await end('SIGTERM')) }
  }
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', ...environment }
  const { stdout, stderr, code, stop } = hostCommand({ words: ['serve', ...options], env })
  const errors = text(stderr)
  const url = await firstLine(stdout).catch(async () => {
    throw new Error((await errors).trim())
  })
  return {
    url,
    end: () => {
      stop()
      return code
    },
  }
}

/** Returns the agent wallet from the data folder of a server. */
export function agentOf(folder: string): PrivateKeyAccount {
  const key = readFileSync(join(folder, 'agent.key'), 'utf8').trim()
  return privateKeyToAccount(key as `0x${string}`)
}

/** The response to a snapshot. */
export type Snapshot = {
  readonly tokenId: string
  readonly contentHash: string
  readonly storageUri: string
  readonly txHash: string
  readonly timestamp: number
}

const json = { 'content-type': 'application/json' }

/** Posts a JSON body unchanged, and returns the response. */
export function post(url: string, path: string, body?: string): Promise<Response> {
  const init = body === undefined ? {} : { headers: json, body }
  return fetch(`${url}${path}`, { method: 'POST', ...init })
}

/** A wallet that proves a download. */
type Prover = Pick<LocalAccount, 'address' | 'signMessage'>

/** Returns the headers that prove a wallet for a download of a token. */
export async function proofHeaders(
  wallet: Prover,
  tokenId: string,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const message = `service:access:${tokenId}:${wallet.address}:${timestamp}`
  return {
    'x-wallet-address': wallet.address,
    'x-wallet-timestamp': timestamp,
    'x-wallet-signature': await wallet.signMessage({ message }),
  }
}

/** Downloads the memory of a token with a wallet. */
export async function downloadAs(wallet: Prover, url: string, tokenId: string): Promise<Response> {
  return fetch(`${url}/api/memory/${tokenId}`, { headers: await proofHeaders(wallet, tokenId) })
}

/** Calls the embedded chain through `/rpc`. */
export async function rpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { result } = (await (await post(url, '/rpc', body)).json()) as { result: T }
  return result
}
