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
import {
  previewDeploy,
  deploy as runDeploy,
} from '../../../packages/http/src/cli/operator/deploy/deploy.ts'
import type { DollarChoice } from '../../../packages/http/src/cli/operator/deploy/deployment-record.ts'
import { readChainConfig } from '../../../packages/http/src/config/config.ts'
import { type Anvil, testClient } from '../chain/anvil.ts'
import { serverProgram } from './server.ts'

type Environment = Readonly<Record<string, string>>

/** The outcome of a run of `heirloom deploy`. */
export type Run = {
  readonly code: number | null
  readonly out: string
  /** The lines on standard error. */
  readonly told: string
  /** The addresses on standard output, the registry's first. */
  readonly pair: readonly [Hex, Hex]
}

/** Starts `heirloom deploy` in a process. */
export function startDeploy(
  env: Environment,
  ...flags: readonly string[]
): { readonly process: ChildProcess; readonly done: Promise<Run> } {
  const child = spawn(process.execPath, [serverProgram, 'deploy', ...flags], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const results = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  const done = results.then(([out, errors, [code]]) => {
    const key = env.AGENT_PRIVATE_KEY?.slice(2)
    if (key && `${out}${errors}`.includes(key)) throw new Error('The run printed its private key.')
    return {
      code,
      out,
      told: errors,
      pair: (out.match(/0x\w{40}/g) ?? []) as unknown as [Hex, Hex],
    }
  })
  return { process: child, done }
}

/** Runs `deploy` in this process, which is faster, and collects its lines. */
export async function deploy(env: Environment, flag?: '--dry-run' | DollarChoice): Promise<Run> {
  return flag === '--dry-run' ? collect(previewDeploy, env) : collect(runDeploy, env, flag)
}

/** Runs `deploy --dry-run` with the choice of a dollar. */
export const preview = (env: Environment, choice: DollarChoice): Promise<Run> =>
  collect(previewDeploy, env, choice)

async function collect(
  run: typeof previewDeploy,
  env: Environment,
  choice: DollarChoice = {},
): Promise<Run> {
  let lines = ''
  const report = (line: string) => {
    lines += `${line}\n`
  }
  try {
    const pair = await run({ ...readChainConfig(env), ...choice }, report)
    const out = pair
      ? `REGISTRY_ADDRESS=${pair.registry}\nMARKETPLACE_ADDRESS=${pair.marketplace}\n`
      : ''
    return { code: 0, out, told: lines, pair: [pair?.registry ?? '0x', pair?.marketplace ?? '0x'] }
  } catch (error) {
    if (!isFailure(error)) throw error
    return { code: 1, out: '', told: `${lines}${error.message}\n`, pair: ['0x', '0x'] }
  }
}

/** Returns a new folder, which is removed after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns a client of a chain. */
export function clientOf({ url }: Pick<Anvil, 'url'>): PublicClient {
  return createPublicClient({ transport: http(url.href) })
}

/** Funds a new wallet, and returns it with an environment for its first deployment. */
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
