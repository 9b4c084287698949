import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { walletKeys } from '@heirloom/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCommands } from '../../packages/http/src/cli/load-command.ts'
import { keystoreText } from '../../packages/http/test/keystore-text.ts'
import { writeZip } from '../formats/zip-of.ts'
import { type CommandShell, commandShell } from '../harness/docs/command-shell.ts'
import { dataOf, type ExampleVersions, mintVersions } from '../harness/docs/example-versions.ts'
import { type CommandHost, hostCommands } from '../harness/process/command-host.ts'
import { type HostedServer, hostServer, post, type Snapshot } from '../harness/process/server.ts'

let folder: string
let host: CommandHost | undefined
let server: HostedServer
let shell: CommandShell
let registry: string
let versions: ExampleVersions
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'command-line-'))
  host = await hostCommands()
  server = await hostServer({ DATA_DIR: join(folder, '.heirloom') })
  shell = commandShell(folder, { HEIRLOOM_URL: server.url, HOME: folder }, host?.program)
  const deployment = await (await fetch(`${server.url}/api/deployment`)).json()
  registry = (deployment as { readonly registry: string }).registry
  versions = await mintVersions({ url: server.url, folder }, shell)
  await writeFiles()
})
afterAll(async () => {
  await server.end()
  await host?.close()
  rmSync(folder, { recursive: true })
})

async function snapshot(data: string, recipient?: string): Promise<string> {
  const more = recipient === undefined ? '' : `,"recipient":"${recipient}"`
  const body = `{"data":${data},"metadata":{"category":"research"}${more}}`
  const reply = await post(server.url, '/api/memory/snapshot', body)
  return ((await reply.json()) as Snapshot).tokenId
}

/** Lists a token; that of the examples again, because some examples remove its listing. */
async function offer(tokenId = '7'): Promise<void> {
  const prices = { price: '1000', rentalPricePerDay: '10', forkPrice: '100', forkRoyaltyBps: 500 }
  const reply = await post(
    server.url,
    '/api/marketplace/list',
    JSON.stringify({ tokenId, ...prices }),
  )
  expect(reply.status).toBe(201)
}

/** Mints a token that is for sale for five dollars, and gives the buyer of the examples some. */
async function offerForDollars(): Promise<string> {
  const tokenId = await snapshot('{"for":"dollars"}')
  const none = { price: '0', rentalPricePerDay: '0', forkPrice: '0' }
  const terms = { ...none, forkRoyaltyBps: 0, dollars: { ...none, price: '5000000' } }
  const listed = await post(
    server.url,
    '/api/marketplace/list',
    JSON.stringify({ tokenId, ...terms }),
  )
  const given = await post(server.url, '/api/faucet', JSON.stringify({ address: own.address }))
  expect([listed.status, given.status]).toEqual([201, 201])
  return tokenId
}

/** Writes the files of the examples. */
async function writeFiles(): Promise<void> {
  writeFileSync(join(folder, 'memory.json'), '{"data":{"a":1},"metadata":{"category":"trading"}}')
  writeFileSync(join(folder, 'memory.json.salt'), `0x${'5a'.repeat(32)}\n`)
  const agent = { name: 'ada', messages: [], message_ids: [], block_ids: [], llm_config: {} }
  const letta = {
    agents: [agent],
    groups: [],
    blocks: [{ label: 'human', value: 'Likes tea.' }],
    tools: [],
  }
  writeFileSync(join(folder, 'agent.af'), JSON.stringify(letta))
  mkdirSync(join(folder, 'memories'))
  writeFileSync(join(folder, 'memories/human.md'), 'Ada likes tea.\n')
  writeFileSync(join(folder, 'notes.md'), 'Ada likes tea.\n')
  writeFileSync(join(folder, 'password'), 'a long password\n')
  writeFileSync(join(folder, 'ada.key'), `${own.key}\n`)
  const chat = { title: 'Tea', create_time: 1.7e9, mapping: {}, conversation_id: 'c-1' }
  await writeZip(join(folder, 'chatgpt.zip'), [
    { path: 'conversations.json', text: JSON.stringify([chat]) },
  ])
}

/** Makes what a command line of an example needs, and returns the line with what was made. */
async function prepare(line: string): Promise<string> {
  if (!line.includes('webhook remove')) return versions.prepare(line)
  const body = JSON.stringify({ url: 'https://example.com/removed' })
  const reply = await post(server.url, '/api/webhooks', body)
  return `heirloom webhook remove ${((await reply.json()) as { readonly id: string }).id}`
}

const commands = await loadCommands()
const examples = commands.flatMap(([name, command]) =>
  Object.values(command.examples).map((line) => [name, line] as const),
)

/** Returns the environment of a server with the contracts of the one here. */
async function environmentHere(): Promise<string> {
  const deployment = await (await fetch(`${server.url}/api/deployment`)).json()
  const { marketplace } = deployment as { readonly marketplace: string }
  const secrets = [`AGENT_PRIVATE_KEY=${own.key}`, `MASTER_KEYS=${'5a'.repeat(32)}`]
  const pair = [`REGISTRY_ADDRESS=${registry}`, `MARKETPLACE_ADDRESS=${marketplace}`]
  return [`RPC_URL=${server.url}/rpc`, 'DATA_DIR=.new', ...secrets, ...pair].join('\n')
}

/** The notes of commands on standard error; those of the market because the wallet owns the token. */
const notes: ReadonlyMap<string, string> = new Map([
  ['heirloom diff 6 7', '1 changed'],
  ['heirloom diff ada@1 ada', '1 changed'],
  ['heirloom diff 7 ./memory.json', 'Both are the same, byte for byte.'],
  ['heirloom buy 7 --max-price 0.01ether', 'buying it changes nothing, and costs fees'],
  ['heirloom rent 7 --max-price 0.01ether', 'can open it without renting it'],
])

/** The first of the well-known accounts, which every embedded chain funds. */
const own = {
  key: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}
const isOwn = (line: string) =>
  /--as-wallet|heirloom (transfer|withdraw|heir (name|heartbeat))\b/.test(line)

/** Returns what a command with the own wallet prints on standard error. */
function reportOf(line: string): string {
  if (line.includes('heirloom diff ')) return 'Both are the same, byte for byte.\n'
  if (line.includes('--dry-run') || /heirloom (log|names|restore) /.test(line)) return ''
  return line.includes('--relayed')
    ? expect.stringMatching(/^The server relays what you signed, 0x[0-9a-f]{64}, until .* UTC\n$/)
    : expect.stringMatching(/^Sending transaction 0x[0-9a-f]{64}\n$/)
}

const keystore = '.config/heirloom/keystore.json'
const noTerminal = 'No terminal to ask on. Pass --new, or --import FILE with your key.\n'

describe('every example of the help', () => {
  test.each(examples.filter(([, line]) => isOwn(line)))('%s: %s', async (name, line) => {
    const isInDollars = line.includes('usd')
    const id = isInDollars ? await offerForDollars() : await snapshot('{"of":"ada"}', own.address)
    const env = { HEIRLOOM_PRIVATE_KEY: own.key }
    const save = 'heirloom save diary memory.json --as-wallet'
    if (/diary@1|remove diary/.test(line)) await shell.run(`${save} && ${save}`, env)
    const { code, err } = await shell.run(line.replace(' 7 ', ` ${id} `), env)
    // All payments reach these accounts, so that none has credit.
    const noCredit = `The account ${own.address} has no credit to withdraw.\n`
    expect([code, err]).toEqual(name === 'withdraw' ? [5, noCredit] : [0, reportOf(line)])
  })

  test.each(
    examples.filter(
      ([name, line]) =>
        ![
          'serve',
          'chain',
          'migrate',
          'events',
          'erase',
          'login',
          'rate',
          'grant',
          'revoke',
        ].includes(name) &&
        !isOwn(line) &&
        !/names recover|grants accept/.test(line),
    ),
  )('%s: %s', async (_, line) => {
    await offer()
    const chain = { RPC_URL: `${server.url}/rpc`, REGISTRY_ADDRESS: registry }
    const here = (await prepare(line))
      .replace('http://127.0.0.1:8545', chain.RPC_URL)
      .replace(/ (buy|rent) 7 /, '$&--own ')
    const { code, out, err } = await shell.run(here, line.includes('$RPC_URL') ? chain : {})
    const note = notes.get(line)
    const expected = note === undefined ? '' : expect.stringContaining(note)
    expect([code, line.includes('deploy') ? '' : err]).toEqual([0, expected])
    if (!/>|^source/.test(line)) expect(`${out}${err}`).not.toBe('')
  })

  test.each(examples.filter(([name]) => name === 'login'))('%s: %s', async (_, line) => {
    const HOME = mkdtempSync(join(folder, 'login-'))
    const { code, out, err } = await shell.run(line, { HOME })
    if (line === 'heirloom login') expect([code, err]).toEqual([2, noTerminal])
    else expect([code, err, existsSync(join(HOME, keystore))]).toEqual([0, '', true])
    if (line.includes('ada.key')) expect(out).toContain(own.address)
  })

  test.each(examples.filter(([, line]) => line.includes('names recover')))(
    '%s: %s',
    async (_, line) => {
      const DATA_DIR = mkdtempSync(join(folder, 'recover-'))
      const { code, out, err } = await shell.run(line, { DATA_DIR })
      expect([code, out, err]).toEqual([0, expect.stringContaining('no sealing keys'), ''])
    },
  )

  test.each(examples.filter(([name]) => name === 'erase'))('%s: %s', async (_, line) => {
    const id = await snapshot(`{"for":${JSON.stringify(line)}}`)
    const prompt = line.includes('--yes') ? [] : [[`Erase the memory of token ${id}`, 'y'] as const]
    const { code, out } = await shell.onTerminal(line.replace('7', id), {}, ...prompt)
    expect([code, out]).toEqual([0, expect.stringMatching(/Erased.*the memory of token/)])
    const { err } = await shell.run(`heirloom download ${id} --json`)
    expect(JSON.parse(err).code).toBe('memory/erased')
  })

  test.each(examples.filter(([name]) => name === 'rate'))('%s: %s', async (_, line) => {
    // Each rates a token of its own: of two ratings of one second the first counts.
    const id = await snapshot(`{"for":${JSON.stringify(line)}}`)
    await offer(id)
    const env = { HEIRLOOM_PRIVATE_KEY: own.key }
    const rented = await shell.run(`heirloom rent ${id} --as-wallet --max-price 0.01ether`, env)
    expect(rented.code).toBe(0)
    const { code, out, err } = await shell.run(line.replace(' 7 ', ` ${id} `), env)
    const rated = expect.stringMatching(`Rated +token ${id}, [25] of 5`)
    expect([code, out, err]).toEqual([0, rated, ''])
  })

  test.each(examples.filter(([name]) => ['grant', 'revoke'].includes(name)))(
    '%s: %s',
    async (_, line) => {
      const id = await snapshot(`{"for":${JSON.stringify(line)}}`)
      const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
      const terms = `--to ${own.address} --until ${until} --json`
      const granted = await shell.run(`heirloom grant ${id} ${terms}`)
      const now = line
        .replace('grant 7', `grant ${id}`)
        .replace(/2027-01-31/, until)
        .replace(/0x[0-9a-f]{64}/, JSON.parse(granted.out).id)
      const isOfName = line.includes('grant ada')
      const env = isOfName ? { HEIRLOOM_PRIVATE_KEY: own.key } : {}
      if (isOfName) await shell.run('heirloom save ada memory.json --as-wallet', env)
      const { code, out, err } = await shell.run(now, env)
      expect([code, out, err]).toEqual([0, expect.stringMatching(/^(Granted|Revoked) /), ''])
    },
  )

  test.each(examples.filter(([, line]) => line.includes('grants accept')))(
    '%s: %s',
    async (_, line) => {
      const id = await snapshot(`{"for":${JSON.stringify(line)}}`, own.address)
      const { agent } = (await (await fetch(`${server.url}/api/deployment`)).json()) as {
        readonly agent: string
      }
      const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
      const env = { HEIRLOOM_PRIVATE_KEY: own.key }
      await shell.run(`heirloom grant ${id} --to ${agent} --until ${until}`, env)
      const { code, out, err } = await shell.run(line.replace(/0x\w+/, own.address))
      expect([code, out, err]).toEqual([0, expect.stringMatching(/^Accepted /), ''])
    },
  )

  test.each(examples.filter(([name]) => name === 'serve'))('%s: %s', async (_, line) => {
    const elsewhere = commandShell(mkdtempSync(join(folder, 'serve-')), { LOG_LEVEL: 'error' })
    const child = elsewhere.start(line.replace('heirloom', 'exec heirloom'), { PORT: '0' })
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    const [url] = await once(lines, 'line')
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  test.each(examples.filter(([name]) => name === 'events'))('%s: %s', async (_, line) => {
    const child = shell.start(line.replace('heirloom', 'exec heirloom').replace(/ \| jq .*/, ''))
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    let shown: string | undefined
    lines.once('line', (first) => {
      shown = first
    })
    // The stream begins when it is connected, so the market goes on until it shows something.
    while (shown === undefined) await offer()
    expect(shown).toContain('listing')
    const exit = once(child, 'exit')
    child.kill('SIGINT')
    expect(await exit).toEqual([130, null])
  })

  test.each(examples.filter(([name]) => name === 'chain'))('%s: %s', async (_, line) => {
    const stopped = mkdtempSync(join(folder, 'chain-'))
    const earlier = await hostServer({ DATA_DIR: join(stopped, '.heirloom') })
    await earlier.end()
    const { code, out, err } = await commandShell(stopped, {}, host?.program).run(line)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/\b0 of (strangers|[0-9]+ transactions)\b/)
  })

  test.each(examples.filter(([name]) => name === 'migrate'))('%s: %s', async (_, line) => {
    const stopped = mkdtempSync(join(folder, 'migrate-'))
    const earlier = await hostServer({ DATA_DIR: join(stopped, '.heirloom') })
    await earlier.end()
    writeFileSync(join(stopped, 'new.env'), await environmentHere())
    const elsewhere = commandShell(stopped, {}, host?.program)
    if (line.includes('--status')) await elsewhere.run('heirloom migrate --to new.env --yes')
    const { code, out, err } = await elsewhere.run(line)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Of 0 tokens 0 are carried over')
  })

  test('is shown by the help', async () => {
    const { out } = await shell.run(
      'heirloom snapshot --help; heirloom help snapshot; heirloom --help',
    )
    for (const [name, { about }] of commands) {
      expect(out).toContain(about)
      expect(out).toContain(`
  ${name} `)
    }
    for (const [, line] of examples.filter(([name]) => name === 'snapshot')) {
      expect(
        out.split(`  $ ${line}
`),
      ).toHaveLength(3)
    }
    const { version, commit } = JSON.parse((await shell.run('heirloom --version --json')).out)
    // Sources without their history have no commit.
    const shown = commit === null ? version : `${version} (${commit})`
    for (const word of ['--version', '-v']) {
      expect((await shell.run(`heirloom ${word}`)).out).toBe(`${shown}\n`)
    }
  })
})

describe('on a terminal', () => {
  const question = 'Buy token 7 for 0.000000000000001 ether (1000 wei)?'

  test('a price is paid only after y', async () => {
    await offer()
    for (const typed of ['n', '\r', '\u{3}', '\u{1B}']) {
      const { code, out } = await shell.onTerminal('heirloom buy 7 --own', {}, [question, typed])
      expect([code, out]).toEqual([130, expect.stringContaining('Nothing was sent.')])
    }
    const { code, out } = await shell.onTerminal('heirloom buy 7 --own', {}, [question, 'y'])
    expect([code, out]).toEqual([0, expect.stringMatching(/Bought.* {2}token 7\r/)])
  })

  test('with an idempotency key, the prompt shows the limit', async () => {
    await offer()
    const limited = question.replace('for', 'for at most')
    const line = 'heirloom buy 7 --max-price 1000 --idempotency-key limited'
    const { code, out } = await shell.onTerminal(line, {}, [limited, 'y'])
    expect([code, out]).toEqual([0, expect.not.stringContaining('Paid')])
  })

  test('there is no prompt with --yes', async () => {
    await offer()
    const { code, out } = await shell.onTerminal('heirloom buy 7 --yes --own')
    expect([code, out]).toEqual([0, expect.not.stringContaining('?')])
  })

  test('the password of a keystore is read from a prompt, and not shown', async () => {
    const [key] = walletKeys as readonly `0x${string}`[]
    const keystore = keystoreText(key ?? '0x', { password: 'tea', kdf: 'pbkdf2' })
    writeFileSync(join(folder, 'keystore.json'), keystore)
    const env = { HEIRLOOM_KEYSTORE: 'keystore.json' }
    const { code, out } = await shell.onTerminal('heirloom download 1', env, ['Password', 'tea\r'])
    expect([code, out]).toEqual([4, expect.stringContaining('neither the owner')])
    expect(out).not.toContain('tea')
    expect((await shell.onTerminal('heirloom download 1', env, ['Password', '\u{3}'])).code).toBe(
      130,
    )
  })

  test('colours and a progress bar are shown, unless they are turned off', async () => {
    writeFileSync(join(folder, 'large.json'), JSON.stringify({ text: 'm'.repeat(3_000_000) }))
    const lines = ['heirloom info 7', 'heirloom snapshot large.json --category x']
    const [info, bar] = await Promise.all(lines.map((line) => shell.onTerminal(line)))
    expect(info?.out).toContain('\u{1B}[2mToken')
    expect(bar?.out).toMatch(/upload █+ .* of 3\.0 MB/)
    for (const env of [{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }]) {
      const plain = await Promise.all(lines.map((line) => shell.onTerminal(line, env)))
      expect(plain.map(({ code, out }) => [code, out.includes('\u{1B}')])).toEqual([
        [0, false],
        [0, false],
      ])
    }
    const json = await shell.onTerminal('heirloom info 7 --json')
    expect(JSON.parse(json.out).tokenId).toBe('7')
  })
})

describe('in a pipe', () => {
  test('a closed pipe is no failure', async () => {
    const id = await snapshot(JSON.stringify({ text: 'm'.repeat(3_000_000) }))
    const { code, out, err } = await shell.run(`heirloom download ${id} | head -c 7`)
    expect([code, out, err]).toEqual([0, '{"data"', ''])
  })

  test('a download is exactly the snapshot, and can be snapshot again', async () => {
    const { code, out } = await shell.run(
      'heirloom download 7 | heirloom snapshot - --json | jq -r .tokenId | xargs heirloom download',
    )
    const seventh = { data: dataOf(7), metadata: { category: 'research' } }
    expect([code, out]).toEqual([0, JSON.stringify(seventh)])
  })
})

test('Ctrl-C ends a command at once, without a message or a file', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const connected = once(silent, 'connection')
  const env = { HEIRLOOM_URL: `http://127.0.0.1:${port}` }
  const child = shell.start('exec heirloom download 7 -o never.json', env)
  const errors = text(child.stderr as NodeJS.ReadableStream)
  const [socket] = await connected
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([130, null])
  expect(await errors).toBe('')
  expect(existsSync(join(folder, 'never.json'))).toBe(false)
  socket.destroy()
  silent.close()
})
