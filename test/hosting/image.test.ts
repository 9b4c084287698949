import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtProgram } from '../../packages/http/test/built-program.ts'
import { deployFolder, readDeployed } from '../harness/hosting/files.ts'
import { end, firstLine } from '../harness/process/child-process.ts'
import { post, type Snapshot } from '../harness/process/server.ts'

const root = join(deployFolder, '..')
const dockerfile = readDeployed('Dockerfile')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

describe('the image', () => {
  test('runs as a user without rights, from a pinned Node', () => {
    expect(dockerfile).toMatch(/^USER 1000:1000$/m)
    expect(dockerfile).toMatch(
      /^ARG NODE_IMAGE=docker\.io\/library\/node:24\.\d+\.\d+-bookworm-slim$/m,
    )
    const stages = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a Dockerfile.
    expect(stages).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}'])
    expect(dockerfile.lastIndexOf('USER 1000:1000')).toBeGreaterThan(dockerfile.lastIndexOf('RUN '))
  })

  test('is built from files that its context has, which holds no secret and no history', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
    const lines = ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines[0]).toBe('*')
    const context = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    for (const path of context)
      expect(readdirSync(join(root, path, '..'))).toContain(path.split('/').at(-1))
    for (const path of ['packages', 'LICENSE', 'deploy/healthcheck.js', 'pnpm-lock.yaml']) {
      expect(context).toContain(path)
    }
    for (const secret of ['**/*.keys', '**/*.key', '**/*.env', '**/.heirloom*']) {
      expect(lines).toContain(secret)
    }
    expect(dockerfile).not.toMatch(/(PASSWORD|SECRET|PRIVATE_KEY|MASTER_KEYS?)\b *=/)
  })

  test('returns memory to the system as the script `start` and the unit do', () => {
    const setting = /GLIBC_TUNABLES=[\w.:=]+/
    const [expected] = setting.exec(manifest.scripts.start) ?? []
    expect(expected).toBe(
      'GLIBC_TUNABLES=glibc.malloc.mmap_threshold=2097152:glibc.malloc.trim_threshold=4194304',
    )
    expect(setting.exec(dockerfile)?.[0]).toBe(expected)
    expect(setting.exec(readDeployed('systemd/heirloom.service'))?.[0]).toBe(expected)
  })

  test('has the version of pnpm that the workspace uses', () => {
    const [, major] = /pnpm@(\d+)\.\d+\.\d+/.exec(dockerfile) ?? []
    expect(manifest.scripts.test).toContain(`pnpm@${major} `)
  })
})

describe('the program of the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-image-'))
  const app = join(folder, 'app')

  beforeAll(() => {
    // As in the image: the program, the packages that are not packed, and the health check.
    const collect = join(root, 'packages/http/collect-program.ts')
    const { status, stderr } = spawnSync(process.execPath, [collect, app, dirname(builtProgram)])
    if (status !== 0) throw new Error(stderr.toString())
    cpSync(join(deployFolder, 'healthcheck.js'), join(app, 'healthcheck.js'))
  })
  afterAll(() => {
    spawnSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true, force: true })
  })

  test('has what it does not pack, and no more', () => {
    const packages = readdirSync(join(app, 'node_modules'))
    for (const name of ['@nomicfoundation', 'sodium-native', 'secp256k1', 'koffi']) {
      expect(packages).toContain(name)
    }
    expect(packages).not.toContain('viem')
    expect(packages).not.toContain('@heirloom')
    expect(readdirSync(app).toSorted()).toEqual([
      ...['agents', 'dist', 'healthcheck.js', 'node_modules', 'package.json'],
    ])
  })

  test('serves from a read-only folder outside the workspace, and its health check sees it', async () => {
    const data = join(folder, 'data')
    mkdirSync(data)
    spawnSync('chmod', ['-R', 'a-w', app])
    const environment = {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(data, 'heirloom'),
    }
    const server = spawn(process.execPath, [join(app, 'dist/cli.js'), 'serve'], {
      cwd: data,
      env: { ...environment, LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await firstLine(server.stdout)
    const healthOf = (port: string) =>
      spawnSync(process.execPath, [join(app, 'healthcheck.js')], { env: { PORT: port } }).status
    expect(healthOf(new URL(url).port)).toBe(0)
    const body = '{"data":{},"metadata":{"category":"research"}}'
    const { tokenId } = (await (await post(url, '/api/memory/snapshot', body)).json()) as Snapshot
    expect(tokenId).toBe('1')
    expect((await fetch(`${url}/docs`)).status).toBe(200)
    expect(await end(server, 'SIGTERM')).toBe(0)
    expect(healthOf(new URL(url).port)).toBe(1)
    expect(readdirSync(data)).toEqual(['heirloom'])
  })
})
