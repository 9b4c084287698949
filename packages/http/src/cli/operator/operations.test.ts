import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { folder, here, mintToken, run, runJson, withServer } from '../../../test/command-harness.ts'

withServer({ WEBHOOKS_TO_PRIVATE: 'true' })

/** The first of the well-known accounts, which every embedded chain funds. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const account = privateKeyToAccount(key).address
/** The second of them, which grants a name. */
const ownersKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

/** A day of the next month. */
const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

/** A command line that makes a request of an operation. */
type Line = {
  readonly words: readonly string[]
  readonly input?: string
  /** Marks a command of the own wallet. */
  readonly isOwn?: true
  /** A command line without which the words have nothing to do. */
  readonly first?: readonly string[]
}

/** Why no command makes a request of an operation. */
type Reason = { readonly reason: string }

const paidOverHttp =
  'A program that speaks x402 pays it. A person pays in dollars with --as-wallet, which signs a transaction.'
const ofAnotherPair =
  'A command names a token by its number on the contracts of the server; this names one of earlier contracts.'

/** The command of each operation. TOKEN, OWN and WEBHOOK stand for what the tests made. */
const commandOf: Readonly<Record<string, Line | Reason>> = {
  snapshot: { words: ['snapshot', '-', '--category', 'research'], input: '{"a":1}' },
  seal: {
    words: ['snapshot', '-', '--category', 'research', '--as-wallet'],
    input: '{"a":1}',
    isOwn: true,
  },
  rpc: {
    words: ['snapshot', '-', '--category', 'research', '--as-wallet'],
    input: '{"a":1}',
    isOwn: true,
  },
  relay: { words: ['heir', 'heartbeat', '--relayed'], isOwn: true },
  names: { words: ['names'] },
  versions: { words: ['log', 'ada'] },
  findName: { words: ['names', 'rename', 'ada', 'eve'] },
  renameName: { words: ['names', 'rename', 'eve', 'ada'] },
  forgetName: {
    words: ['names', 'forget', 'bob', '--yes'],
    first: ['import', 'NOTES', '--name', 'bob'],
  },
  download: { words: ['download', 'TOKEN'] },
  outline: { words: ['outline', 'TOKEN'] },
  part: { words: ['part', 'TOKEN', '/data/mood'] },
  searchIn: { words: ['search-in', 'TOKEN', 'calm'] },
  isOwn: { words: ['part', 'TOKEN', '/data/mood'] },
  openings: { words: ['openings', 'TOKEN'] },
  erase: { words: ['erase', 'ERASED', '--yes'] },
  provenance: { words: ['info', 'TOKEN'] },
  provenanceOfRegistry: { reason: ofAnotherPair },
  downloadOfRegistry: { reason: ofAnotherPair },
  listing: { words: ['info', 'TOKEN'] },
  list: { words: ['list', 'TOKEN', '--price', '7', '--rent', '7', '--fork-price', '7', '--yes'] },
  buy: { words: ['buy', 'SOLD', '--max-price', '7', '--recipient', account] },
  rent: { words: ['rent', 'TOKEN', '--max-price', '7', '--recipient', account] },
  fork: { words: ['fork', 'TOKEN', '--max-price', '7'] },
  royalty: { words: ['royalty', 'TOKEN', '7'] },
  rate: {
    words: ['rate', 'TOKEN', '5'],
    isOwn: true,
    first: ['rent', 'TOKEN', '--as-wallet', '--max-price', '7'],
  },
  profiles: { words: ['profile', 'show', account] },
  setProfile: {
    words: ['profile', 'set', '--name', 'Ada'],
    isOwn: true,
    first: ['fork', 'TOKEN', '--as-wallet', '--max-price', '7'],
  },
  deployment: { words: ['deployment'] },
  facets: { words: ['facets'] },
  listings: { words: ['browse'] },
  tokens: { words: ['browse', '--all'] },
  ratingCounts: { words: ['browse', '--all'] },
  lineage: { words: ['lineage', 'TOKEN'] },
  history: { words: ['history', 'TOKEN'] },
  rentals: { words: ['rentals', 'TOKEN'] },
  ratings: { words: ['ratings', 'TOKEN'] },
  excerpts: { words: ['excerpts', 'TOKEN'] },
  integrity: { words: ['integrity', 'TOKEN'] },
  activity: { words: ['activity'] },
  titles: { words: ['activity'] },
  earnings: { words: ['earnings', account] },
  eachEarning: { words: ['earnings', account, '--each'] },
  heir: { words: ['heir', 'show', account] },
  faucet: { words: ['faucet', account] },
  wallet: { words: ['wallet'] },
  operator: { words: ['operator'] },
  webhooks: { words: ['webhook', 'list'] },
  addWebhook: { words: ['webhook', 'add', 'http://127.0.0.1:9/heirloom'] },
  removeWebhook: { words: ['webhook', 'remove', 'WEBHOOK'] },
  readyz: { words: ['doctor'] },
  events: {
    reason: 'heirloom events follows it without an end; an example of its help has a test.',
  },
  mcp: { reason: 'heirloom mcp serves the same tools on standard input and output.' },
  metrics: {
    reason: 'A collector of metrics reads its text, at an address that an operator sets.',
  },
  livez: { reason: 'It says only that the process runs; heirloom doctor asks /readyz for more.' },
  buyByX402: { reason: paidOverHttp },
  rentByX402: { reason: paidOverHttp },
  forkByX402: { reason: paidOverHttp },
  royaltyByX402: { reason: paidOverHttp },
  x402Resources: { reason: paidOverHttp },
  x402Search: { reason: paidOverHttp },
  depositGrant: { words: ['grant', 'TOKEN', '--to', account, '--until', soon] },
  grants: { words: ['grants'] },
  receivedGrants: { words: ['grants', '--to-me'] },
  acceptGrants: { words: ['grants', 'accept', 'OWNER'], isOwn: true },
  ignoreGrants: { words: ['grants', 'ignore', 'OWNER'], isOwn: true },
  grantedVersions: {
    words: ['log', 'GRANTED', '--grant', 'NAMED'],
    isOwn: true,
  },
  grantedSave: { words: ['save', 'GRANTED', 'DIARY', '--grant', 'NAMED'], isOwn: true },
  grantedDownload: { words: ['download', 'TOKEN', '--grant', 'GRANT'], isOwn: true },
  grantedOutline: { words: ['outline', 'TOKEN', '--grant', 'GRANT'], isOwn: true },
  grantedPart: { words: ['part', 'TOKEN', '/data/mood', '--grant', 'GRANT'], isOwn: true },
  grantedSearchIn: { words: ['search-in', 'TOKEN', 'calm', '--grant', 'GRANT'], isOwn: true },
  revokeGrant: { words: ['revoke', '--grant', 'GRANT'] },
  revokeGrants: { words: ['revoke', '--all'] },
}

type Requested = { readonly method: string; readonly path: string; readonly origin: string }

/** Returns the requests that this process makes until the test ends, as Node reports them. */
function recordRequests(): readonly Requested[] {
  const requests: Requested[] = []
  const record = (message: unknown) => requests.push(Object(message).request)
  subscribe('undici:request:create', record)
  onTestFinished(() => void unsubscribe('undici:request:create', record))
  return requests
}

type Operation = { readonly operationId: string }
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

let operations: ReadonlyMap<string, { readonly method: string; readonly path: RegExp }>
const made = new Map<string, string>()
beforeAll(async () => {
  const { paths } = (await (await fetch(`${here.HEIRLOOM_URL}/openapi.json`)).json()) as {
    readonly paths: Paths
  }
  operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [
        operationId,
        {
          method: method.toUpperCase(),
          path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`),
        },
      ]),
    ),
  )
  await makeTokens()
})

async function makeTokens(): Promise<void> {
  const { writeFile } = await import('node:fs/promises')
  await writeFile(`${folder}/notes.md`, 'Ada likes tea.\n')
  made.set('NOTES', `${folder}/notes.md`)
  const diary = { data: {}, metadata: { category: 'research' } }
  await writeFile(`${folder}/diary.json`, JSON.stringify(diary))
  made.set('DIARY', `${folder}/diary.json`)
  await runJson('import', `${folder}/notes.md`, '--name', 'ada')
  for (const name of ['TOKEN', 'SOLD', 'ERASED']) made.set(name, await mintToken())
  const prices = ['--price', '7', '--rent', '7', '--fork-price', '7', '--royalty', '5%']
  for (const name of ['TOKEN', 'SOLD']) await runJson('list', made.get(name) ?? '', ...prices)
  const terms = ['--to', account, '--until', soon, '--label', 'auditor']
  const granted = await runJson('grant', made.get('TOKEN') ?? '', ...terms)
  made.set('GRANT', `${granted.id}`)
  const env = { ...here, HEIRLOOM_PRIVATE_KEY: ownersKey }
  expect(await run(['save', 'diary', `${folder}/diary.json`], { env })).toMatchObject({ code: 0 })
  const named = JSON.parse(
    (await run(['grant', 'diary', ...terms, '--save', '--json'], { env })).out,
  )
  made.set('NAMED', `${named.id}`)
  made.set('OWNER', `${named.grant.owner}`)
  made.set('GRANTED', `${named.grant.owner}:diary`)
  const hook = await runJson('webhook', 'add', 'http://127.0.0.1:9/removed')
  made.set('WEBHOOK', `${hook.id}`)
}

/** Puts what the tests made in the place of its name. */
const filled = (words: readonly string[]) => words.map((word) => made.get(word) ?? word)

const lines = Object.entries(commandOf).flatMap(([name, it]) =>
  'words' in it ? [[name, it] as const] : [],
)

describe('every operation of the OpenAPI document', () => {
  test('has a command, or a reason why there is none', () => {
    expect(Object.keys(commandOf).toSorted()).toEqual([...operations.keys()].toSorted())
  })

  test.each(lines)(
    '%s is requested by its command',
    async (name, { words, input, isOwn, first }) => {
      const requests = recordRequests()
      const own = isOwn === undefined ? {} : { HEIRLOOM_PRIVATE_KEY: key }
      const env = { ...here, ...own }
      // The folder of the server is not asked while doctor has a server.
      const at = name === 'readyz' ? { ...env, DATA_DIR: `${folder}/none` } : env
      if (first !== undefined)
        expect(await run(filled(first), { env: at })).toMatchObject({ code: 0 })
      const result = await run(filled(words), { env: at, ...(input && { input }) })
      expect(result).toEqual({ code: 0, out: expect.any(String), err: expect.any(String) })

      const { method, path } = operations.get(name) ?? { method: '', path: /$^/ }
      const seen = requests.filter(
        (it) => it.origin === here.HEIRLOOM_URL && it.method === method && path.test(it.path),
      )
      expect(seen.length).toBeGreaterThan(0)
    },
  )
})
