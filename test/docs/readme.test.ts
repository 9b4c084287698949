import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { walletKeys, wallets } from '@heirloom/testkit'
import { publicActions } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { cleanEnvironment } from '../harness/docs/clean-environment.ts'
import { end, firstLine } from '../harness/process/child-process.ts'
import { tier } from '../tier.ts'
import { read } from './docs.ts'

const root = join(import.meta.dirname, '../..')
const readme = read('README.md')

/** Returns the blocks of commands in a page, in order. */
const blocksOf = (page: string) =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands ?? '')

/** Returns the only block of a page that contains a text. */
function blockOf(page: string, part: string): string {
  const found = blocksOf(page).filter((commands) => commands.includes(part))
  expect(found, `one block with ${part}`).toHaveLength(1)
  return found[0] ?? ''
}

const blocks = blocksOf(readme)
const block = (part: string) => blockOf(readme, part)

/** A copy of the repository as freshly cloned, in which the commands run. */
let home: string
const cleanups: (() => unknown)[] = []
beforeAll(() => {
  home = mkdtempSync(join(inject('runFolder'), 'readme-'))
  const ignored = /\/(node_modules|dist|\.git|\.heirloom)$/
  cpSync(root, home, { recursive: true, filter: (path) => !ignored.test(path) })
})
afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.()
})
afterAll(() => rmSync(home, { recursive: true }))

type Environment = Readonly<Record<string, string>>

/**
 * Runs a command with the Node and the pnpm that are there already, as npx does where they are those
 * that it is asked for.
 */
const quickNpx = `#!/bin/sh
while [ "$1" = -y ] || [ "$1" = -p ]; do
  [ "$1" = -p ] && shift
  shift
done
[ "$1" = -- ] && shift
[ "$1" = -c ] && set -- sh "$@"
exec "$@"
`

/** Whether npx would find the Node and the pnpm that the README names on the path. */
const isAtHand = () => {
  const { status, stdout } = spawnSync('pnpm', ['--version'], { encoding: 'utf8' })
  return status === 0 && stdout.startsWith('12.') && process.version.startsWith('v24.')
}

/**
 * Puts a quick npx on the path, because a start of npm takes longer than most commands; in the long
 * tier each command runs in the real one.
 */
function withQuickNpx(): Environment {
  if (tier === 'long' || !isAtHand()) return {}
  const folder = join(home, 'node_modules/.quick')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'npx'), quickNpx, { mode: 0o755 })
  return { PATH: [folder, process.env.PATH].join(delimiter) }
}

/** Puts the quick npx on the path, once the first command of the README has run in the real one. */
let quick: Environment = {}

function shell(commands: string, environment: Environment = {}): ChildProcess {
  const env = { ...cleanEnvironment(process.env), ...quick, ...environment }
  return spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: home,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

async function run(commands: string, environment: Environment = {}, input = ''): Promise<string> {
  const running = shell(commands, environment)
  running.stdin?.end(input)
  const [printed, [code]] = await Promise.all([
    text(running.stdout as NodeJS.ReadableStream),
    once(running, 'exit'),
  ])
  expect(code, commands).toBe(0)
  return printed
}

/** Starts a server, and returns the address it prints. */
async function serve(commands: string, environment: Environment = {}): Promise<string> {
  const running = shell(commands, { PORT: '0', LOG_LEVEL: 'error', ...environment })
  cleanups.push(() => end(running, 'SIGTERM'))
  return firstLine(running.stdout, /^http:/)
}

/** Starts what the first test has built, or in the long tier builds it again. */
function startAgain(): string {
  const program = 'packages/http/dist/cli.js'
  const isBuilt = tier !== 'long' && existsSync(join(home, program))
  return isBuilt ? `exec node ${program} serve` : 'exec npm start'
}

describe('the README', () => {
  it('goes from the first command to a memory and a rental', async () => {
    const url = await serve('exec npm start')
    quick = withQuickNpx()
    const adapt = (commands: string) => commands.replaceAll('http://127.0.0.1:3000', url)

    const snapshot = JSON.parse(await run(adapt(block('/api/memory/snapshot'))))
    expect(snapshot).toMatchObject({ tokenId: '1' })
    const info = JSON.parse(await run(adapt(block('/api/memory/1/info'))))
    expect(info).toMatchObject({ tokenId: '1', contentHash: snapshot.contentHash, parent: '0' })
    const here = { HEIRLOOM_URL: url }
    const opening = block('heirloom download')
    expect(await run(opening, here)).toBe(
      '{"data":{"learned":["users prefer short answers"]},"metadata":{"category":"support","agentId":"ada","version":"1"}}',
    )
    // The shell of a reader keeps the function of the block before.
    const [ourFunction = ''] = opening.split('\n')
    expect(await run(`${ourFunction}\n${block('heirloom recall')}`, here)).toContain(
      'users prefer short answers\n  1 /data/learned/0',
    )
    const output = await run(`${ourFunction}\n${block('heirloom list')}`, here)
    expect(output).toMatch(/^Listed +token 1$/m)
    const listing = await fetch(`${url}/api/marketplace/listings/1`)
    expect(await listing.json()).toMatchObject({ isForSale: true, forkRoyaltyBps: 500 })

    const [listed, rented] = (await run(adapt(blockOf(read('docs/api.md'), 'list')))).split('}{')
    expect(listed).toContain('txHash')
    expect(rented).toContain('expiresAt')

    const findings = await run(block('doctor'), here)
    expect(findings).toMatch(/^ok +blocks /m)
    expect(findings).toMatch(/^ok +lock +A server or another command is using the folder/m)
    expect(findings).toMatch(/^ok +server +The server at .* reports that it is ready/m)
    expect(findings).not.toMatch(/^fail/m)
  })

  it('shows a server on another chain', async () => {
    const anvil = await startAnvil()
    cleanups.push(anvil.stop)
    const [agent] = wallets as readonly PrivateKeyAccount[]
    await testClient(anvil).setBalance({ address: agent?.address ?? '0x', value: 10n ** 20n })
    const adapt = (commands: string) =>
      commands.replace('http://127.0.0.1:8545', anvil.url.href).replace('npm start', startAgain())

    const rehearsal = await run('npm run --silent deploy -- --dry-run', { RPC_URL: anvil.url.href })
    expect(rehearsal).toBe('')
    expect(await testClient(anvil).extend(publicActions).getBlockNumber()).toBe(0n)

    const deploy = adapt(block('npm run --silent deploy'))
    const keys = 'echo "$RPC_URL $DATA_DIR $AGENT_PRIVATE_KEY $MASTER_KEYS"'
    const printed = await run(`${deploy}\n${keys}`, {}, `${walletKeys[0]}\n`)
    expect(printed).toMatch(/^REGISTRY_ADDRESS=0x\w{40}\nMARKETPLACE_ADDRESS=0x\w{40}\n/)

    const [RPC_URL = '', DATA_DIR = '', AGENT_PRIVATE_KEY = '', MASTER_KEYS = ''] =
      printed.trim().split('\n').at(-1)?.split(' ') ?? []
    const url = await serve(adapt(block('contracts.env)')), {
      RPC_URL,
      DATA_DIR,
      AGENT_PRIVATE_KEY,
      MASTER_KEYS,
    })
    const deployment = await (await fetch(`${url}/api/deployment`)).json()
    expect(deployment).toMatchObject({ chainId: 31337, agent: agent?.address })
    for (const address of printed.match(/0x\w{40}\n/g) ?? []) {
      expect(JSON.stringify(deployment)).toContain(address.trim())
    }
  })

  it('shows only commands that run adapt, and CI runs its test command', () => {
    expect(blocks).toHaveLength(9)
    expect(blocks[0]).toBe('npm start\n')
    expect(readme).toContain('```\nnpm test\n```')
    expect(read('.ci/run')).toMatch(/^part tests npm test$/m)
  })

  it('shows a library example that runs', async () => {
    const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
    const program = `${code}\nconsole.log(tokenId, await service.provenance({ tokenId }))`
    const printed = await run(`'${process.execPath}' --input-type=module-typescript`, {}, program)
    expect(printed).toMatch(/^1n \{/)
  })
})
