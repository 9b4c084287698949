import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isFailure } from '@heirloom/core'
import { createPublicClient, type Hex, http, type PublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { onTestFinished } from 'vitest'
import { readChainConfig } from '../../../packages/http/src/config/config.ts'
import { deploy as deployPair, rehearse } from '../../../packages/http/src/cli/deploy/deploy.ts'
import { type Anvil, testClient } from '../chain/anvil.ts'
import { serverProgram } from './server.ts'

type Environment = Readonly<Record<string, string>>

/** What a run of the command line came to. */
export type Run = {
  readonly code: number | null
  readonly out: string
  readonly told: string
  /** The addresses on standard output, the registry's first. */
  readonly pair: readonly [Hex, Hex]
}

/** Starts `deploy` as its user does. */
export function startDeploy(
  env: Environment,
  ...flags: readonly string[]
): { readonly process: ChildProcess; readonly done: Promise<Run> } {
  const child = spawn(process.execPath, [serverProgram, 'deploy', ...flags], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  const done = ended.then(([out, told, [code]]) => {
    const key = env.AGENT_PRIVATE_KEY?.slice(2)
    if (key && `${out}${told}`.includes(key)) throw new Error('The run showed its key.')
    return { code, out, told, pair: (out.match(/0x\w{40}/g) ?? []) as unknown as [Hex, Hex] }
  })
  return { process: child, done }
}

/** Does in this process what `deploy` does in one of its own, but for printing; it takes less time. */
export async function deploy(env: Environment, flag?: '--dry-run'): Promise<Run> {
  let told = ''
  const say = (line: string) => {
    told += `${line}\n`
  }
  try {
    const pair = await (flag ? rehearse : deployPair)(readChainConfig(env), say)
    const out = pair
      ? `REGISTRY_ADDRESS=${pair.registry}\nMARKETPLACE_ADDRESS=${pair.marketplace}\n`
      : ''
    return { code: 0, out, told, pair: [pair?.registry ?? '0x', pair?.marketplace ?? '0x'] }
  } catch (error) {
    if (!isFailure(error)) throw error
    return { code: 1, out: '', told: `${told}${error.message}\n`, pair: ['0x', '0x'] }
  }
}

/** Returns a new folder that is gone after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns a client of a running chain. */
export function clientOf({ url }: Pick<Anvil, 'url'>): PublicClient {
  return createPublicClient({ transport: http(url.href) })
}

/** Returns a wallet that has sent nothing yet, and the environment of its first run. */
export async function newDeployer(anvil: Anvil, { funds = 10n ** 18n } = {}) {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await testClient(anvil).setBalance({ address, value: funds })
  const env = { DATA_DIR: newFolder(), RPC_URL: anvil.url.href, AGENT_PRIVATE_KEY: key }
  const { AGENT_PRIVATE_KEY: _, ...keyless } = env
  return {
    address,
    key,
    env,
    keyless,
    record: join(env.DATA_DIR, 'deployments/31337.json'),
    signed: join(env.DATA_DIR, 'deployments/31337.signed.json'),
    nonce: () => clientOf(anvil).getTransactionCount({ address }),
  }
}

/** Reads a file of JSON. */
export const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
