import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { findVersion, parseVersion } from '../../packages/http/src/api/named-version.ts'
import { createAccessProof } from '../../packages/http/src/client/access-proof.ts'
import { createClient } from '../../packages/http/src/client/client.ts'
import type { NamedVersions } from '../../packages/http/src/client/responses.ts'
import { withQuery } from '../../packages/http/src/client/transport/with-query.ts'
import { run } from '../../packages/http/test/command-harness.ts'
import { toolJson } from '../harness/mcp/mcp.ts'
import { fundedWallet, openSessions } from '../harness/mcp/sessions.ts'
import { agentOf } from '../harness/process/server.ts'
import { runScript } from '../harness/python/scripts.ts'
import {
  notes,
  order,
  questions,
  type Reply,
  tinyMemories,
  tinyQuestions,
} from './shared-questions.ts'

// The shared questions, and a table of days, for all that ask without the page.

const { server, asSmall } = openSessions()

const metadata = { category: 'diary' }
const client = () => createClient({ url: server.url, account: agentOf(server.home) })
const command = () => ({ env: { HEIRLOOM_URL: server.url, DATA_DIR: server.home } })

type Query = { readonly memory: string; readonly text: string }
type Found = {
  readonly matches: readonly { readonly pointer?: string; readonly match: string }[]
  readonly misspelt?: readonly { readonly nearest: string }[]
}

const replyTo = ({ matches: [first], misspelt: [hint] = [] }: Found): Reply => ({
  ...(first && { at: first.pointer, text: first.match }),
  ...(hint && { nearest: hint.nearest }),
})

type Shown = {
  readonly matches: readonly { readonly at: string; readonly text: string }[]
  readonly note?: string
}

function shownAnswer({ matches: [first], note = '' }: Shown): Reply {
  const nearest = /nearest word is “(.*?)”/.exec(note)?.[1]
  return { ...(first && { at: first.at, text: first.text }), ...(nearest && { nearest }) }
}

async function commandLine(...words: readonly string[]) {
  const { code, out, err } = await run([...words, '--json'], command())
  expect(code, err).toBe(0)
  return JSON.parse(out)
}

const versionIn = (memory: string) => memory.split('@')[1]
const nameIn = (memory: string) => memory.split('@')[0] as string

/** Returns the answers of a version of the diary in Python. */
const inPython = (queries: readonly Query[]) =>
  runScript(
    server,
    `
def ask(memory, text):
    name, _, version = memory.partition('@')
    token = (client.at(name, version) if version else client.latest(name)).token_id
    return client.search(token, text)
print(json.dumps([ask(**it) for it in json.loads(os.environ['QUERIES'])]))
`,
    { QUERIES: JSON.stringify(queries) },
  ) as Promise<readonly Found[]>

type Ask = (queries: readonly Query[]) => Promise<readonly Reply[]>

/** Those that ask one memory. */
const askers: Readonly<Record<string, Ask>> = {
  TypeScript: (queries) =>
    inTurn(queries, async ({ memory, text }) => {
      const { tokenId } = await client().memory(nameIn(memory)).find(versionIn(memory))
      return replyTo(await client().searchIn(tokenId, text, { each: 'item' }))
    }),
  MCP: async (queries) => {
    const session = await asSmall()
    return inTurn(queries, async (it) =>
      shownAnswer((await toolJson(session, 'search_in', it)) as Shown),
    )
  },
  'the command line': (queries) =>
    inTurn(queries, async ({ memory, text }) =>
      replyTo(await commandLine('search-in', memory, text)),
    ),
  Python: async (queries) => (await inPython(queries)).map(replyTo),
  'raw HTTP': (queries) => inTurn(queries, async (it) => replyTo(await overHttp(it))),
}

/** Returns the headers with which the owner of the diary opens a token. */
async function headersFor(tokenId: string) {
  const account = agentOf(server.home)
  return createAccessProof(account, { tokenId, now: Date.now(), binding: undefined })
}

/** Asks over HTTP alone, with the headers that a program makes of a signature. */
async function overHttp({ memory, text }: Query): Promise<Found> {
  const { name = '', version } = parseVersion(memory) ?? {}
  const read = async (page: { readonly after: string | undefined }) =>
    getJson<NamedVersions>(withQuery(`/api/names/${name}/versions`, page))
  const found = await findVersion(read, version)
  if (found === undefined) throw new Error('There is no version.')
  const path = withQuery(`/api/memory/${found.tokenId}/search`, { q: text, each: 'item' })
  return getJson(path, await headersFor(found.tokenId))
}

async function getJson<T>(path: string, headers = {}): Promise<T> {
  const reply = await fetch(server.url + path, { headers })
  expect(reply.status, path).toBe(200)
  return (await reply.json()) as T
}

/** Those that ask all memories. */
const recallers: Readonly<Record<string, Ask>> = {
  'recall of MCP': async (queries) => {
    const session = await asSmall()
    return inTurn(queries, async ({ text }) =>
      shownAnswer((await toolJson(session, 'recall', { text })) as Shown),
    )
  },
  'recall of the command line': (queries) =>
    inTurn(queries, async ({ text }) => shownAnswer(await commandLine('recall', text))),
}

async function inTurn(queries: readonly Query[], ask: (it: Query) => Promise<Reply>) {
  const all: Reply[] = []
  for (const it of queries) all.push(await ask(it))
  return all
}

beforeAll(async () => {
  const diary = client().memory('diary')
  await diary.save({ data: { notes: notes.slice(0, 1) }, metadata })
  await diary.save({ data: { notes }, metadata })
  for (const [name, [first, second]] of tinyMemories) {
    const data = { notes: [{ text: first }, { text: second }] }
    await client().memory(name).save({ data, metadata })
  }
})

const developer = privateKeyToAccount(fundedWallet.HEIRLOOM_PRIVATE_KEY as `0x${string}`)
const asDeveloper = () => createClient({ url: server.url, account: developer })
const saved = { data: { notes: [{ text: order }] }, metadata }

/** Those that save the memory of a name for an account that is not the wallet of the server. */
const savers: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
  TypeScript: async (name) => asDeveloper().memory(name).save(saved),
  MCP: async (name) => {
    const session = await asSmall(fundedWallet)
    return toolJson(session, 'save', { name, data: saved.data, category: 'diary' })
  },
  'the command line': async (name) => {
    const words = ['save', name, '-', '--category', metadata.category, '--as-wallet']
    const env = { HEIRLOOM_URL: server.url, ...fundedWallet }
    const { code, err } = await run(words, { env, input: JSON.stringify(saved.data) })
    expect(code, err).toBe(0)
  },
  Python: async (name) =>
    runScript(
      server,
      `print(json.dumps(client.save(os.environ['NAME'], after=None, **json.loads(os.environ['SAVED']))))`,
      { NAME: name, SAVED: JSON.stringify(saved) },
      developer,
    ),
}

test.each(Object.entries(savers))('what %s saves for an account is its own', async (by, save) => {
  const name = `by-${by.toLowerCase().replaceAll(' ', '-')}`
  await save(name)
  const { tokenId } = await asDeveloper().memory(name).find()
  expect(await asDeveloper().isOwn(tokenId)).toBe(true)
})

test.each(Object.entries({ ...askers, ...recallers }))(
  '%s answers each question, of tiny memories too',
  async (_, ask) => {
    const answers = await ask(questions.map(([text]) => ({ memory: 'diary', text })))
    const expected = questions.map(([, it]) => expect.objectContaining(it))
    // A phrase is shown with the text around it, or by itself.
    expect(answers.map((it, nth) => (nth === 1 ? { ...it, text: 'lake at sunrise' } : it))).toEqual(
      expected,
    )
    expect(answers[4]).toEqual({})
    const tiny = await ask(tinyQuestions.map(([query]) => query))
    expect(tiny).toEqual(tinyQuestions.map(([, reply]) => reply))
  },
)

test.each(Object.entries(askers))(
  '%s asks the version of a day, a time or a number',
  async (_, ask) => {
    const { items } = await client().memory('diary').log()
    const first = items.at(-1)
    const isNewer = items.some(({ savedAt, version }) => version > 1 && savedAt === first?.savedAt)
    const versions = [new Date(first?.savedAt ?? 0).toISOString(), '2999-01-01', '1', '2']
    const queries = versions.map((it) => ({ memory: `diary@${it}`, text: '“calendar”' }))
    const found = (await ask(queries)).map(({ at }) => at)
    const at = '/data/notes/1/text'
    expect(found).toEqual([isNewer ? at : undefined, at, undefined, at])
    const failed = await ask([{ memory: 'diary@2001-01-01', text: 'lake' }]).catch(String)
    expect(failed).toMatch(/no version/)
  },
)

const removers: readonly (readonly [string, word: string, (at: string) => Promise<unknown>])[] = [
  ['TypeScript', 'carillon', (at) => client().memory('diary', { seen: 'last' }).remove(at)],
  ['MCP', 'windmill', async (at) => toolJson(await asSmall(), 'forget', { name: 'diary', at })],
  ['the command line', 'telescope', (at) => commandLine('remove', 'diary', at)],
  [
    'Python',
    'tunnel',
    (at) =>
      runScript(server, "print(json.dumps(client.remove('diary', os.environ['AT'])))", { AT: at }),
  ],
]

// The last note goes first, so that the others stay in their places.
test.each(removers)('what %s forgets nobody finds: %s', async (_, word, remove) => {
  const ask = async () => {
    const all: (string | undefined)[] = []
    for (const it of Object.values({ ...askers, ...recallers })) {
      const [answer] = await it([{ memory: 'diary', text: `“${word}”` }])
      all.push(answer?.at)
    }
    return new Set(all)
  }
  const [at] = await ask()
  expect(await ask()).toEqual(new Set([expect.stringMatching(/^.data.notes.[3-6].text$/)]))
  // The phrase is in the text of a note, which goes as a whole.
  await remove(`${at}`.replace('/text', ''))
  expect(await ask()).toEqual(new Set([undefined]))
})
