import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../../../test/harness/process/free-port.ts'
import { builtProgram } from '../../../../test/built-program.ts'
import {
  blocksIn,
  elsewhere,
  flipBit,
  home,
  installation,
  namesOf,
  runDoctor,
  secretsIn,
  startServer,
  useInstallations,
} from '../../../../test/installation.ts'
import type { Finding } from './finding.ts'

useInstallations()

describe('a sound installation', () => {
  test('passes every check, and stays unchanged', async () => {
    const folder = installation()
    const blocks = blocksIn(folder)
    const findings = await runDoctor({ DATA_DIR: folder })
    expect([namesOf(findings, 'warn'), namesOf(findings, 'fail')]).toEqual([[], []])
    expect(namesOf(findings, 'ok')).toEqual([
      ...['node', 'config', 'folder', 'folder-mode', 'secret-mode', 'secret-mode', 'secret-mode'],
      ...['disk', 'lock', 'parts', 'writer', 'agent-key', 'master-keys', 'sealing-keys'],
      ...['chain', 'clock', 'contracts', 'memory-keys', 'memories', 'wallet', 'chain-jobs'],
      ...['blob-store', 'blocks', 'jobs', 'stuck-jobs', 'webhooks', 'catalogue'],
      ...['blob-store-laws', 'cipher-laws'],
    ])
    expect(findings.find(({ name }) => name === 'jobs')?.sentence).toContain('2 done')
    expect(blocksIn(folder)).toEqual(blocks)
    expect(readdirSync(folder).toSorted()).toEqual(readdirSync(home).toSorted())
  })

  test('is described with the ids of its keys, and without the keys', async () => {
    const folder = installation()
    const report = JSON.stringify(await runDoctor({ DATA_DIR: folder }))
    for (const secret of secretsIn(folder)) expect(report).not.toContain(secret.replace('0x', ''))
    const { epoch, records } = JSON.parse(readFileSync(join(folder, 'sealing.keys'), 'utf8'))
    expect([epoch, records.length]).toEqual([1, 1])
    expect(report).toContain(`${records[0].id}, created on`)
    expect(report).toContain(`The master key ${records[0].master} wraps`)
    expect(report).toContain('No key is missing for the 2 memories stored here.')
  })

  test('is checked while its server runs, except for parts that the server locks', async () => {
    const folder = installation()
    const server = await startServer(folder)
    onTestFinished(server.close)
    const findings = await runDoctor({ DATA_DIR: folder })
    expect(namesOf(findings, 'fail')).toEqual([])
    expect(namesOf(findings, 'warn')).toEqual([
      ...['parts', 'chain', 'clock', 'contracts', 'memory-keys', 'memories', 'wallet'],
      ...['chain-jobs', 'blob-store', 'jobs', 'catalogue'],
    ])
    expect(findings.at(-1)?.name).toBe('cipher-laws')
    expect(findings.find(({ name }) => name === 'chain')?.advice).toMatch(/^Pass --url /)
  })

  test('has the parts that its server locks reported by that server', async () => {
    const folder = installation()
    const server = await startServer(folder)
    onTestFinished(server.close)
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200)
    const { port } = new URL(server.url)
    const bySettings = await runDoctor({ DATA_DIR: folder, PORT: port })
    const byName = await runDoctor({ DATA_DIR: folder }, server.url)
    for (const findings of [bySettings, byName]) {
      expect(namesOf(findings, 'fail')).toEqual([])
      expect(namesOf(findings, 'warn')).toEqual(['parts', 'clock', 'chain-jobs'])
      expect(findings.find(({ name }) => name === 'server')?.sentence).toMatch(
        /^The server at .* reports that it is ready: chain, storage, /,
      )
      expect(findings.find(({ name }) => name === 'blob-store')).toMatchObject({
        level: 'ok',
        sentence: 'The server reports that it is in order.',
      })
    }
  })

  test('learns nothing from a server with another wallet, and says so when it was named', async () => {
    const folder = installation()
    const server = await startServer(folder)
    onTestFinished(server.close)
    const { port } = new URL(server.url)
    const AGENT_PRIVATE_KEY = `0x${'7'.repeat(64)}`
    const bySettings = await runDoctor({ DATA_DIR: folder, PORT: port, AGENT_PRIVATE_KEY })
    expect(bySettings.map(({ name }) => name)).not.toContain('server')
    const byName = await runDoctor({ DATA_DIR: folder, AGENT_PRIVATE_KEY }, server.url)
    expect(byName.find(({ name }) => name === 'server')).toMatchObject({
      level: 'warn',
      sentence: expect.stringMatching(/ has another wallet, 0x/),
    })
    expect(namesOf(byName, 'warn')).toContain('chain')
  })

  test('of another machine is described by its server alone', async () => {
    const folder = installation()
    const server = await startServer(folder)
    onTestFinished(server.close)
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200)
    const here = { DATA_DIR: join(folder, 'none') }
    const findings = await runDoctor(here, server.url)
    expect([namesOf(findings, 'warn'), namesOf(findings, 'fail')]).toEqual([[], []])
    expect(namesOf(findings, 'ok')).toEqual([
      ...['node', 'config', 'server', 'wallet', 'contracts', 'chain', 'blob-store', 'jobs', 'disk'],
      ...['catalogue', 'memory-keys', 'memories'],
    ])
    await server.close()
    const gone = await runDoctor(here, server.url)
    expect(gone.at(-1)).toMatchObject({
      level: 'fail',
      sentence: `No Heirloom server answers at ${server.url}.`,
    })
  })

  test('is checked on a remote chain too', async () => {
    const { env } = await elsewhere()
    const findings = await runDoctor(env)
    // The other installation went on with the same wallet, and these jobs do not know it.
    expect([namesOf(findings, 'warn'), namesOf(findings, 'fail')]).toEqual([['chain-jobs'], []])
    expect(namesOf(findings, 'ok')).toEqual(
      expect.arrayContaining(['chain', 'chain-id', 'head', 'clock', 'contracts', 'wallet']),
    )
  })

  test('may have no data folder yet, and doctor creates none', async () => {
    const folder = join(installation(), 'none')
    expect(namesOf(await runDoctor({ DATA_DIR: folder }), 'fail')).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })
})

describe('heirloom doctor', () => {
  async function run(env: NodeJS.ProcessEnv, ...words: string[]) {
    const child = spawn(process.execPath, [builtProgram, 'doctor', ...words], { env })
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return { printed, code }
  }

  test('prints a line for each finding and exits with 0', async () => {
    const PORT = String(await freePort())
    const { printed, code } = await run({ DATA_DIR: installation(), PORT })
    const lines = printed.trimEnd().split('\n')
    for (const line of lines) expect(line).toMatch(/^ok {4}[a-z-]+ +\S.*\.$/)
    expect(lines).toHaveLength(29)
    expect(code).toBe(0)
  })

  test('prints one line for each reason why parts were not checked, and JSON for each part', async () => {
    const folder = installation()
    const server = await startServer(folder)
    onTestFinished(server.close)
    const { printed } = await run({ DATA_DIR: folder })
    const lines = printed.split('\n').filter((line) => /not checked/i.test(line))
    expect(lines).toEqual([
      expect.stringMatching(
        /^warn {2}not checked +parts, chain, clock, .*catalogue: a server is using the folder\. {2}— Pass --url with the address /,
      ),
    ])
    const all = JSON.parse((await run({ DATA_DIR: folder }, '--json')).printed)
    const isSkipped = ({ sentence }: Finding) => sentence.startsWith('Not checked: ')
    expect(all.filter(isSkipped)).toHaveLength(11)
  })

  test('prints JSON with --json, and exits with 1 when something is broken', async () => {
    const DATA_DIR = installation()
    flipBit(blocksIn(DATA_DIR)[0] ?? '')
    const { printed, code } = await run({ DATA_DIR }, '--json')
    expect(code).toBe(1)
    expect(namesOf(JSON.parse(printed), 'fail')).toEqual(['memories', 'blocks'])
    const lines = (await run({ DATA_DIR })).printed.split('\n')
    const line = lines.find((it) => it.startsWith('fail  blocks'))
    expect(line).toMatch(
      /^fail {2}blocks +Of the .* blocks that were read, .*\. {2}— Restore them /,
    )
  })
})
