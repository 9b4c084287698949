import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Environment, readConfig } from '../src/config/config.ts'
import { doctor } from '../src/cli/doctor/doctor.ts'
import type { Finding } from '../src/cli/doctor/finding.ts'
import { serve } from '../src/server/serve.ts'
import { memory } from './server-harness.ts'

/** What is closed after each test. */
export const opened: (() => unknown)[] = []
afterEach(async () => {
  while (opened.length > 0) await opened.pop()?.()
})

/** Serves a data folder. */
export const serving = (DATA_DIR: string) =>
  serve(readConfig({ DATA_DIR, PORT: '0', LOG_LEVEL: 'silent' }))

/** What a server leaves behind that took a memory of one block and one of many. */
export let home: string
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'doctor-home-'))
  const { url, close } = await serving(home)
  for (const data of [{}, { long: randomBytes(2_000_000).toString('base64') }]) {
    const body = JSON.stringify({ ...memory, data })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
    expect(reply.status).toBe(201)
  }
  await close()
})
afterAll(() => rmSync(home, { recursive: true }))

/** Returns a copy of such a folder. */
export function installation(): string {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  opened.push(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(home, folder, { recursive: true })
  return folder
}

/** Returns the keys that a folder keeps. */
export const secretsIn = (folder: string) =>
  ['agent.key', 'master.keys'].map((name) => readFileSync(join(folder, name), 'utf8').trim())

/** Returns every finding. */
export async function examine(env: Environment): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for await (const finding of doctor(env)) findings.push(finding)
  return findings
}

/** Returns the names of the findings of a level. */
export const named = (findings: readonly Finding[], level: Finding['level']) =>
  findings.filter((it) => it.level === level).map(({ name }) => name)

/** Returns the one finding that something is broken. */
export async function failure(env: Environment): Promise<Finding | undefined> {
  const broken = (await examine(env)).filter(({ level }) => level === 'fail')
  expect(broken).toHaveLength(1)
  return broken[0]
}

/** Returns the files of all blocks. */
export function blocksIn(folder: string): readonly string[] {
  const blocks = join(folder, 'blobs/blocks')
  return readdirSync(blocks, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('/'))
    .map((path) => join(blocks, path))
}

/** Changes one bit of a file. */
export function flip(path: string): void {
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

/** Serves one installation, and returns the environment of another that works on its chain. */
export async function elsewhere() {
  const server = await serving(installation())
  opened.push(server.close)
  const { registry, marketplace, chainId } = (await (
    await fetch(`${server.url}/api/deployment`)
  ).json()) as { readonly [name: string]: string }
  const folder = installation()
  const [AGENT_PRIVATE_KEY, MASTER_KEYS] = secretsIn(folder)
  const pair = { REGISTRY_ADDRESS: registry, MARKETPLACE_ADDRESS: marketplace }
  const chain = { RPC_URL: `${server.url}/rpc`, CHAIN_ID: String(chainId) }
  return { env: { DATA_DIR: folder, AGENT_PRIVATE_KEY, MASTER_KEYS, ...pair, ...chain } }
}
