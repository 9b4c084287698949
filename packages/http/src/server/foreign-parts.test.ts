import { randomBytes } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isFailure } from '@heirloom/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { installation, startServer, useInstallations } from '../../test/installation.ts'
import { readConfig } from '../config/config.ts'
import { serve } from './serve.ts'

useInstallations()

const database = (name: string) => [name, `${name}-wal`, `${name}-shm`]

/** Returns the folder of another installation, which has a memory of its own. */
async function otherInstallation(): Promise<string> {
  const folder = installation()
  rmSync(folder, { recursive: true })
  const server = await startServer(folder)
  const body = JSON.stringify({ data: { of: 'another' }, metadata: { category: 'research' } })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${server.url}/api/memory/snapshot`, { method: 'POST', headers, body })
  expect(reply.status).toBe(201)
  await server.close()
  return folder
}

/** Replaces a part of a folder by that of another installation. */
function replacePart(folder: string, other: string, part: string): void {
  for (const name of database(part)) rmSync(join(folder, name), { recursive: true, force: true })
  cpSync(join(other, part), join(folder, part), { recursive: true })
}

/** Starts a server; returns its failure, or undefined when it starts. */
async function startFailure(folder: string): Promise<unknown> {
  const config = readConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' })
  try {
    const server = await serve(config)
    onTestFinished(server.close)
    await server.ready
    return undefined
  } catch (error) {
    return error
  }
}

describe('a folder with a part of another installation', () => {
  test.each(['jobs.sqlite', 'blobs'])(
    'does not start with its %s, and says what to do',
    async (part) => {
      const [folder, other] = [installation(), await otherInstallation()]
      replacePart(folder, other, part)
      const failure = await startFailure(folder)
      expect(isFailure(failure, 'folder/unusable') && failure.message).toMatch(
        new RegExp(
          `${part} and chain.sqlite belong to two installations; restore both .* move ${part} away`,
        ),
      )
    },
  )

  test('starts without the foreign jobs when they are moved away, as it was told', async () => {
    const [folder, other] = [installation(), await otherInstallation()]
    replacePart(folder, other, 'jobs.sqlite')
    expect(await startFailure(folder)).toBeDefined()
    rmSync(join(folder, 'jobs.sqlite'))
    expect(await startFailure(folder)).toBeUndefined()
  })

  test('is none after its only memory, a long one, was erased', async () => {
    const folder = installation()
    rmSync(folder, { recursive: true })
    const server = await startServer(folder)
    const text = randomBytes(200_000).toString('base64')
    const body = JSON.stringify({ data: { text }, metadata: { category: 'research' } })
    const headers = { 'content-type': 'application/json' }
    const post = (path: string, options: RequestInit = {}) =>
      fetch(`${server.url}${path}`, { method: 'POST', ...options })
    expect((await post('/api/memory/snapshot', { headers, body })).status).toBe(201)
    expect((await post('/api/memory/1/erase')).status).toBe(200)
    await server.close()
    expect(await startFailure(folder)).toBeUndefined()
  })

  test('rebuilds the catalogue from the chain', async () => {
    const [folder, other] = [installation(), await otherInstallation()]
    replacePart(folder, other, 'catalogue.sqlite')
    const server = await startServer(folder)
    onTestFinished(server.close)
    const titles = async () => {
      const reply = await fetch(`${server.url}/api/memory/1/info`)
      const { contentHash } = (await reply.json()) as { readonly contentHash: string }
      const found = await fetch(`${server.url}/api/memory?contentHash=${contentHash}`)
      return ((await found.json()) as { readonly items: readonly unknown[] }).items.length
    }
    await expect.poll(titles).toBeGreaterThan(0)
  })

  test('starts with all parts of its own, also the second time', async () => {
    const folder = installation()
    expect(await startFailure(folder)).toBeUndefined()
  })
})
