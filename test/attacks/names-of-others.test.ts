import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answer, tenantHouse } from '../../packages/http/test/tenant-house.ts'

/** The owners of names, each with its API keys: those of a tenant share names, every other has its own. */
const keysOf = {
  ada: ['ada', 'ada-2'],
  ben: ['ben', 'ben-2'],
  own: ['own'],
  reviewer: ['reviewer'],
  first: ['first'],
  second: ['second'],
} as const

type Owner = keyof typeof keysOf
const owners = Object.keys(keysOf) as readonly Owner[]

/** Texts of the keys of `API_KEYS`, which have no names. */
const unnamed = { first: 'first-key-of-the-environment', second: 'second-key-of-the-environment' }

const kinds = ['save', 'save', 'save', 'repeat', 'find', 'log', 'list', 'rename', 'forget'] as const
const acts = fc.array(
  fc.record({
    owner: fc.constantFrom(...owners),
    key: fc.nat(1),
    kind: fc.constantFrom(...kinds),
    name: fc.nat(2),
    to: fc.nat(2),
  }),
  { minLength: 40, maxLength: 60, size: 'max' },
)

/** Names that all owners use, and one that nobody else does. */
const namesOf = (owner: Owner) => ['plan', 'notes/may', `known-to-${owner}-alone`]

/** The tokens of each name of one owner, the newest last; and the token of each key's repeated save. */
type Model = {
  readonly names: Map<string, readonly string[]>
  readonly repeated: Map<string, string>
}

type Send = (method: string, path: string, body?: object, headers?: object) => Promise<Answer>

/** One act of an owner on a name. */
type Call = {
  readonly send: Send
  readonly model: Model
  readonly apiKey: string
  readonly name: string
  readonly to: string
}

const pathOf = (name: string) => `/api/names/${encodeURIComponent(name)}`
const memory = { metadata: { category: 'research' } }
const code = (reply: Answer) => reply.body.code ?? reply.status
type Named = { readonly name: string; readonly last: { readonly tokenId: string } }

/** Performs each act, and compares the answer with the model of its owner. */
const perform: { readonly [kind in (typeof kinds)[number]]: (call: Call) => Promise<void> } = {
  save: async ({ send, model: { names }, apiKey, name }) => {
    const data = { by: apiKey, at: names.get(name) ?? [] }
    const reply = await send('POST', '/api/memory/snapshot', { ...memory, data, name })
    expect(reply.status).toBe(201)
    names.set(name, [...(names.get(name) ?? []), reply.body.tokenId])
  },
  // All send the same bytes under the same idempotency key.
  repeat: async ({ send, model: { names, repeated }, apiKey }) => {
    const body = { ...memory, data: {}, name: 'once' }
    const reply = await send('POST', '/api/memory/snapshot', body, { 'idempotency-key': 'same' })
    expect(reply.status).toBe(201)
    const { tokenId } = reply.body
    expect(tokenId).toBe(repeated.get(apiKey) ?? tokenId)
    if (!repeated.has(apiKey)) names.set('once', [...(names.get('once') ?? []), tokenId])
    repeated.set(apiKey, tokenId)
  },
  find: async ({ send, model: { names }, name }) => {
    const reply = await send('GET', pathOf(name))
    const last = names.get(name)?.at(-1)
    if (last === undefined) expect(code(reply)).toBe('name/not-found')
    else expect(reply.body).toMatchObject({ name, last: { tokenId: last } })
  },
  log: async ({ send, model: { names }, name }) => {
    const reply = await send('GET', `${pathOf(name)}/versions?limit=100`)
    const tokens = names.get(name)
    if (tokens === undefined) expect(code(reply)).toBe('name/not-found')
    else expect(reply.body.items.map(({ tokenId }) => tokenId)).toEqual(tokens.toReversed())
  },
  list: async ({ send, model: { names } }) => {
    const { body } = await send('GET', '/api/names?limit=100')
    const listed = (body.items as unknown as readonly Named[]).map((it) => [
      it.name,
      it.last.tokenId,
    ])
    expect(new Map(listed as [string, string][])).toEqual(
      new Map([...names].map(([name, all]) => [name, all.at(-1)])),
    )
  },
  rename: async ({ send, model: { names }, name, to }) => {
    const reply = await send('PATCH', pathOf(name), { name: to })
    const tokens = names.get(name)
    if (tokens === undefined) return expect(code(reply)).toBe('name/not-found')
    if (name !== to && names.has(to)) return expect(code(reply)).toBe('name/taken')
    expect(reply.body).toMatchObject({ name: to })
    names.delete(name)
    names.set(to, tokens)
  },
  forget: async ({ send, model: { names }, name }) => {
    const reply = await send('DELETE', pathOf(name))
    expect(code(reply)).toBe(names.has(name) ? 204 : 'name/not-found')
    names.delete(name)
  },
}

/** Paths that anyone may read who looks for more. */
const otherReads = [
  ...['/api/names', '/api/memory?limit=100', '/api/wallet', '/api/marketplace/listings'],
  ...['/metrics', '/readyz', '/api/webhooks', '/api/deployment', '/api/agents', '/api/history'],
] as const

/** Requires that a text has no name that an owner alone uses, and no API key of another. */
function expectNothingOfOthers(text: string, owner: Owner | undefined): void {
  for (const other of owners.filter((it) => it !== owner)) {
    expect(text).not.toContain(`known-to-${other}-alone`)
    expect(text).not.toContain(`"savedBy":"${other}`)
  }
}

/** Returns the requests of an owner with one of its keys; of nobody without a text. */
const sender =
  (url: string, owner: Owner | undefined, text?: string): Send =>
  async (method, path, body, headers = {}) => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(text !== undefined && { authorization: `Bearer ${text}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await reply.text()
    expectNothingOfOthers(answer, owner)
    const isJson = reply.headers.get('content-type')?.includes('json')
    return { status: reply.status, body: isJson ? JSON.parse(answer) : {} }
  }

/** Makes a server with two tenants, and the texts of all keys. */
async function openHouse() {
  const { house, keys } = await tenantHouse('ada', 'ben')
  const texts: Record<string, string> = { ...keys, ...unnamed }
  for (const tenant of ['ada', 'ben']) {
    texts[`${tenant}-2`] = await house.addKey(`${tenant}-2`, `--tenant ${tenant} --scope write`)
  }
  texts.reviewer = await house.addKey('reviewer', '--scope write')
  return { house, texts }
}

test('no API key sees or changes the names of another owner', async () => {
  const { house, texts } = await openHouse()
  const modelOf = (): Model => ({ names: new Map(), repeated: new Map() })
  const models = new Map(owners.map((it) => [it, modelOf()]))
  const callOf = (url: string, owner: Owner, apiKey: string, names = ['plan', 'plan']): Call => ({
    send: sender(url, owner, texts[apiKey]),
    model: models.get(owner) as Model,
    apiKey,
    name: names[0] ?? '',
    to: names[1] ?? '',
  })
  const readAll = async (url: string) => {
    for (const [owner, apiKey] of owners.flatMap((it) =>
      keysOf[it].map((key) => [it, key] as const),
    )) {
      const call = callOf(url, owner, apiKey)
      await perform.list(call)
      await perform.log(call)
      for (const path of otherReads) await call.send('GET', path)
    }
    for (const path of otherReads) await sender(url, undefined)('GET', path)
  }
  const seed = Number(process.env.FC_SEED ?? 1)
  const [before = [], after = []] = fc.sample(acts, { seed, numRuns: 2 })
  const { first, second } = unnamed
  // The second start has the keys of its environment in another order.
  for (const [order, some] of [
    [`${first},${second}`, before],
    [`${second},${first}`, after],
  ] as const) {
    const { url, close } = await house.open({ API_KEYS: order })
    for (const { owner, key, kind, name, to } of some) {
      const names = [name, to].map((it) => namesOf(owner)[it] ?? '')
      const apiKey = keysOf[owner][key % keysOf[owner].length] as string
      await perform[kind](callOf(url, owner, apiKey, names))
    }
    await readAll(url)
    await close()
  }
})
