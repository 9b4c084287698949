import { walletKeys } from '@heirloom/testkit'
import { describe, expect, it } from 'vitest'
import { mostSmallCharacters } from '../../packages/http/src/mcp/small/inside-tools.ts'
import { mostCharacters } from '../../packages/http/src/mcp/tools/open-memory.ts'
import { tools, toolsIn } from '../../packages/http/src/mcp/tools/tools.ts'
import { overHttp, overStdio, toolJson, toolResult, toolText } from '../harness/mcp/mcp.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { bare, read, rowsUnder } from './docs.ts'

const text = read('docs/mcp.md')

describe('docs/mcp.md', () => {
  it('names the tools that need a folder, and the limit of a memory in one result', () => {
    const folders = tools.filter(({ reach }) => reach === 'folder').map(({ name }) => `\`${name}\``)
    expect(text).toContain(`${folders.slice(0, -1).join(', ')} and ${folders.at(-1)} where`)
    for (const most of [mostCharacters, mostSmallCharacters]) {
      expect(text).toContain(`${most.toLocaleString('en')} characters`)
    }
  })
})

type Entry = {
  readonly url?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

describe('the configurations in docs/mcp.md', () => {
  const server = sharedServer()

  const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => `${json}`)
  const entries = blocks.map((json): readonly [string, Entry] => {
    const { mcpServers, servers } = JSON.parse(json)
    const { heirloom } = mcpServers ?? servers
    return [heirloom.command ?? heirloom.url, heirloom]
  })

  const adapt = (value: string) =>
    value
      .replace('http://127.0.0.1:3000', server.url)
      .replace('/home/ada/.heirloom', server.home)
      .replace(/^\$\{input:key\}$/, `${walletKeys[1]}`)

  it.each(entries)('connect a client with %s', async (_, { url, args, env = {} }) => {
    if (url !== undefined) {
      const { origin, pathname, search } = new URL(adapt(url))
      const client = await overHttp(origin, undefined, {}, `${pathname}${search}`)
      expect((await client.listTools()).tools).toHaveLength(toolsIn(['small'], ['anyone']).length)
      return client.close()
    }
    expect(args?.slice(-3)).toEqual(['@heirloom/http', 'heirloom', 'mcp'])
    const environment = Object.entries(env).map(([name, value]) => [name, adapt(value)])
    const { client } = await overStdio(Object.fromEntries(environment), undefined, {
      sets: 'small',
    })
    expect((await client.listTools()).tools).toHaveLength(toolsIn(['small'], ['owner']).length)
    expect(await toolJson(client, 'browse', { owner: 'me' })).toMatchObject({ memories: [] })
    await client.close()
  })

  it('give examples of the ten tools that succeed', async () => {
    const environment = { HEIRLOOM_URL: server.url, DATA_DIR: server.home }
    const { client } = await overStdio(environment, undefined, { sets: 'all' })
    for (let at = 1; at <= 7; at++) {
      const memory = { data: {}, metadata: { category: 'x' }, card: { title: `Tides ${at}` } }
      const { tokenId } = await toolResult(client, 'memory_snapshot', memory)
      const terms = { price: '0.01ether', rentalPricePerDay: '0', forkPrice: '0' }
      if (at === 7)
        await toolResult(client, 'market_list', { tokenId, ...terms, forkRoyaltyBps: 0 })
    }
    const examples = rowsUnder(text, '## Ten tools for a small context')
    expect(examples.map(([name]) => bare(name))).toEqual(
      toolsIn(['small'], ['owner']).map(({ name }) => name),
    )
    const calls = examples.map(([name, , json]) => [bare(name), JSON.parse(bare(json))] as const)
    const isSave = ([name]: readonly [string, unknown]) => name === 'save'
    for (const [name, args] of [...calls.filter(isSave), ...calls]) {
      expect(await toolText(client, name, args), name).not.toBe('')
    }
    await client.close()
  })

  it('answer the question of the conversation as it shows', async () => {
    const [, talk = ''] =
      /A conversation in plain words.*\n\n```text\n([\s\S]*?)```/.exec(text) ?? []
    const [, memory = '', question = '', answer = ''] =
      /^save ([\s\S]*)\nrecall (.*)\n([\s\S]*)$/.exec(talk) ?? []
    const environment = { HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: `${walletKeys[3]}` }
    const { client } = await overStdio(environment, undefined, { sets: 'small' })
    await toolJson(client, 'save', JSON.parse(memory))
    expect(await toolJson(client, 'recall', JSON.parse(question))).toEqual(JSON.parse(answer))
    await client.close()
  })

  it('are three', () => {
    expect(entries).toHaveLength(3)
  })
})
