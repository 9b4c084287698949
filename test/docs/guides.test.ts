import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { openReader, type Reader, walksOf } from '../harness/docs/guide.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { read } from './docs.ts'

let registry: Published
let anvil: Anvil | undefined
let reader: Reader | undefined
beforeAll(async () => {
  registry = await publish()
})
afterAll(() => registry.close())
afterEach(async () => {
  await reader?.close()
  await anvil?.stop()
  reader = undefined
  anvil = undefined
})

/** Opens a reader, with a node if the guide names one; `sell.md` runs each command as a process. */
async function open(name: string): Promise<Reader> {
  const text = read(`docs/guides/${name}`)
  if (text.includes(':8545')) anvil = await startAnvil()
  const node = anvil === undefined ? {} : { node: anvil.url }
  const inProcesses = name === 'sell.md' ? { inProcesses: true } : {}
  reader = await openReader({ packed: registry, ...node, ...inProcesses })
  return reader
}

// Tests of their own follow these: they need published packages, and a token.
const others = ['adapter.md', 'key-service.md']
const guides = readdirSync(join(import.meta.dirname, '../../docs/guides')).filter(
  (name) => !others.includes(name),
)

const walks = guides.flatMap((name) =>
  walksOf(read(`docs/guides/${name}`)).map(({ title, steps }) => ({ name, title, steps })),
)

describe.each(walks)('docs/guides/$name $title', ({ name, steps }) => {
  it('works when followed to its end', async () => {
    await (await open(name)).follow(steps)
    expect(steps.filter(({ kind }) => kind === 'run').length).toBeGreaterThan(0)
  })
})

it('the reader does not wait for a server that exited by itself', async () => {
  const serve = { kind: 'serve', commands: 'echo $$ > pid; echo http://127.0.0.1:1' } as const
  const gone = 'while kill -0 "$(cat pid)" 2> /dev/null; do :; done'
  const one = await open('sell.md')
  await one.follow([serve, { kind: 'run', commands: gone }, serve])
})
