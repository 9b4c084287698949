import { expect, onTestFinished, test } from 'vitest'
import { overHttp, toolJson } from '../harness/mcp/mcp.ts'
import { openSessions } from '../harness/mcp/sessions.ts'

const { server, asSmall } = openSessions()

const texts = (contents: unknown) => (contents as { readonly text: string }[]).map((it) => it.text)

test('a person picks a name as a resource: short ones whole, long ones as an outline', async () => {
  const client = await asSmall()
  await toolJson(client, 'save', { name: 'ada/trading', value: 'ebb' })
  await toolJson(client, 'save', { name: 'long', data: { text: 'x'.repeat(50_000) } })
  const { resources } = await client.listResources()
  const [first, second] = resources
  expect([first?.uri, second?.uri]).toEqual([
    'heirloom://name/ada%2Ftrading',
    'heirloom://name/long',
  ])
  expect(resources.map(({ uri }) => uri)).toContain('heirloom://token/1')
  const short = await client.readResource({ uri: `${first?.uri}` })
  expect(JSON.parse(`${texts(short.contents)[0]}`)).toMatchObject({ data: { notes: ['ebb'] } })
  const long = await client.readResource({ uri: `${second?.uri}` })
  expect(texts(long.contents)[0]).toMatch(/^Too long[^\n]*\n"" object of 2 members/)
  await expect(client.readResource({ uri: 'heirloom://name/nobody' })).rejects.toThrow('not found')
  const ref = { type: 'ref/resource', uri: 'heirloom://name/{name}' } as const
  const { completion } = await client.complete({ ref, argument: { name: 'name', value: 'ada' } })
  expect(completion.values).toEqual(['ada/trading'])
})

test('a person picks a prompt', async () => {
  const client = await asSmall()
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['remember', 'know', 'find'])
  const args = { what: 'The user prefers short answers.', name: 'ada' }
  const { messages } = await client.getPrompt({ name: 'remember', arguments: args })
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }])
  expect(JSON.stringify(messages)).toContain(args.what)
  await expect(client.getPrompt({ name: 'know', arguments: {} })).rejects.toThrow('topic')
  const anyone = await overHttp(server.url, undefined, {}, '/mcp')
  onTestFinished(() => anyone.close())
  expect((await anyone.listPrompts()).prompts.map(({ name }) => name)).toEqual(['find'])
  expect((await anyone.listResourceTemplates()).resourceTemplates).toHaveLength(2)
})

test('long work reports its progress, which only rises', async () => {
  const client = await asSmall()
  const notes = Array.from({ length: 4000 }, (_, at) => `note ${at}: ${'calm '.repeat(40)}`)
  await toolJson(client, 'save', { name: 'big', data: { notes } })
  const calls = [
    ['save', { name: 'big', value: 'one more' }],
    ['recall', { text: 'one more' }],
  ] as const
  for (const [name, args] of calls) {
    const seen: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress)
    const { isError } = await client.callTool({ name, arguments: args }, { onprogress })
    expect(isError ?? false).toBe(false)
    expect(seen.length, name).toBeGreaterThan(0)
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
  }
})

test('a call that is cancelled ends, and the session goes on', async () => {
  const client = await asSmall()
  const gone = new AbortController()
  const onprogress = () => gone.abort()
  const args = { name: 'cut', data: { text: 'y'.repeat(500_000) } }
  await toolJson(client, 'save', args)
  const call = client.callTool(
    { name: 'save', arguments: { name: 'cut', value: 'never' } },
    { onprogress, signal: gone.signal },
  )
  await expect(call).rejects.toThrow()
  const { versions } = await toolJson(client, 'memories', { name: 'cut' })
  expect(versions).toHaveLength(1)
})
