import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { type Published, publish } from '../harness/packages/publish.ts'

let registry: Published
let project: Stranger
beforeAll(async () => {
  registry = await publish()
  project = stranger(registry.url)
})
afterAll(async () => {
  project.remove()
  await registry.close()
})

const agentFile = JSON.stringify({
  agents: [{ name: 'Loop', system: 'You remember.', llm_config: {}, secrets: null }],
  blocks: [{ label: 'human', value: 'Name: Ada' }],
  tools: [],
})

it('a stranger sells and restores a memory from an empty folder on', async () => {
  const { folder, install, run, serve, write } = project
  cpSync(join(import.meta.dirname, 'stranger'), folder, { recursive: true })
  write('loop.af', agentFile)

  await install('@heirloom/http viem @modelcontextprotocol/client')
  const server = await serve('npx heirloom serve')
  const environment = { HEIRLOOM_URL: server.url }
  const output = await run('bash walk.sh', environment)
  const agentOutput = await run('node agent.mjs', environment)
  await server.end()

  expect(output).toMatch(/Listed +token 1\n/)
  expect(output).toMatch(/1 “What Loop knows” by 0x\w{40} ◀/)
  const bought = readFileSync(join(folder, 'bought.json'), 'utf8')
  expect(JSON.stringify(JSON.parse(bought).data)).toBe(agentFile)
  expect(agentOutput).toBe('bought token 2\n')
})
