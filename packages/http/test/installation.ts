import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { doctor } from '../src/cli/operator/doctor/doctor.ts'
import type { Finding } from '../src/cli/operator/doctor/finding.ts'
import { type Environment, readConfig } from '../src/config/config.ts'
import { recordPlace } from '../src/server/folder-place.ts'
import { serve } from '../src/server/serve.ts'
import { memory } from './server-harness.ts'

/** Starts a server on a data folder. */
export const startServer = (DATA_DIR: string) =>
  serve(readConfig({ DATA_DIR, PORT: '0', LOG_LEVEL: 'silent' }))

/** The data folder of a stopped server with two memories: one of one block and one of many. */
export let home: string

/** Makes that folder before the tests of a file, and removes it after them. */
export function useInstallations(): void {
  beforeAll(makeHome)
  afterAll(() => rmSync(home, { recursive: true }))
}

async function makeHome(): Promise<void> {
  home = mkdtempSync(join(tmpdir(), 'doctor-home-'))
  const { url, close } = await startServer(home)
  for (const data of [{}, { long: randomBytes(2_000_000).toString('base64') }]) {
    const body = JSON.stringify({ ...memory, data })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
    expect(reply.status).toBe(201)
  }
  await close()
}

/** Returns a copy of that folder. */
export function installation(): string {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(home, folder, { recursive: true })
  recordPlace(folder)
  return folder
}

/** Reads the keys that are stored in a folder. */
export const secretsIn = (folder: string) =>
  ['agent.key', 'master.keys'].map((name) => readFileSync(join(folder, name), 'utf8').trim())

/**
 * Runs the doctor and returns every finding. It checks each law in one case: the laws of our store
 * and our cipher have tests of their own, and so has the command.
 */
export async function runDoctor(env: Environment, url?: string): Promise<readonly Finding[]> {
  const server = url === undefined ? undefined : { url: new URL(url) }
  const findings: Finding[] = []
  // Any port: whether one is free has a test of its own.
  const settings = { PORT: '0', ...env }
  for await (const finding of doctor(settings, { casesPerLaw: 1, server })) findings.push(finding)
  return findings
}

/** Returns the names of the findings of a level. */
export const namesOf = (findings: readonly Finding[], level: Finding['level']) =>
  findings.filter((it) => it.level === level).map(({ name }) => name)

/** Runs the doctor and returns its only failure. */
export async function onlyFailure(env: Environment): Promise<Finding | undefined> {
  const broken = (await runDoctor(env)).filter(({ level }) => level === 'fail')
  expect(broken).toHaveLength(1)
  return broken[0]
}

/** Returns the paths of all blocks. */
export function blocksIn(folder: string): readonly string[] {
  const blocks = join(folder, 'blobs/blocks')
  return readdirSync(blocks, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('/'))
    .map((path) => join(blocks, path))
}

/** Flips one bit of a file. */
export function flipBit(path: string): void {
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

/** Starts a server on one installation, and returns the environment of another that uses its chain. */
export async function elsewhere() {
  const server = await startServer(installation())
  onTestFinished(server.close)
  // The doctor compares its clock with the newest block, which is as old as the first installation.
  const prices = { price: '1', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }
  const body = JSON.stringify({ tokenId: '1', ...prices })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${server.url}/api/marketplace/list`, { method: 'POST', headers, body })
  expect(reply.status).toBe(201)
  const { registry, marketplace, chainId } = (await (
    await fetch(`${server.url}/api/deployment`)
  ).json()) as { readonly [name: string]: string }
  const folder = installation()
  const [AGENT_PRIVATE_KEY, MASTER_KEYS] = secretsIn(folder)
  const pair = { REGISTRY_ADDRESS: registry, MARKETPLACE_ADDRESS: marketplace }
  const chain = { RPC_URL: `${server.url}/rpc`, CHAIN_ID: String(chainId) }
  return { env: { DATA_DIR: folder, AGENT_PRIVATE_KEY, MASTER_KEYS, ...pair, ...chain } }
}
