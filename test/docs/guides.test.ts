import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAnvil } from '../harness/chain/anvil.ts'
import { openReader, type Reader, stepsOf } from '../harness/docs/guide.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { read } from './docs.ts'

let registry: Published
let reader: Reader
let anvil: Awaited<ReturnType<typeof startAnvil>>
beforeAll(async () => {
  registry = await publish()
})
afterAll(() => registry.close())
beforeEach(async () => {
  anvil = await startAnvil()
  reader = openReader(anvil.url, registry)
})
afterEach(async () => {
  await reader.close()
  await anvil.stop()
})

// Tests of their own follow these: they need published packages, and a token.
const others = ['adapter.md', 'key-service.md']
const guides = readdirSync(join(import.meta.dirname, '../../docs/guides')).filter(
  (name) => !others.includes(name),
)

describe.each(guides)('docs/guides/%s', (name) => {
  const steps = stepsOf(read(`docs/guides/${name}`))

  it('works when followed to its end', async () => {
    await reader.follow(steps)
    expect(steps.filter(({ kind }) => kind === 'run').length).toBeGreaterThan(0)
  })
})

it('the reader does not wait for a server that exited by itself', async () => {
  const serve = { kind: 'serve', commands: 'echo $$ > pid; echo http://127.0.0.1:1' } as const
  const gone = 'while kill -0 "$(cat pid)" 2> /dev/null; do :; done'
  await reader.follow([serve, { kind: 'run', commands: gone }, serve])
})
