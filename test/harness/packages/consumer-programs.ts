/**
 * The commands that type-check a foreign project, one for each module resolution. Several threads would
 * check most types twice, in twice the processor time.
 */
export const typeCheckCommands = [
  '--module nodenext',
  '--module esnext --moduleResolution bundler',
].map(
  (options) => `tsc --singleThreaded --noEmit --strict --target es2024 --ignoreConfig ${options}`,
)

/** Returns a program that imports modules and reads their exports. */
export function importProgram(names: readonly string[]): string {
  const imports = names.map((name, index) => `import * as it${index} from '${name}'`)
  const uses = names.map((_, index) => `Object.keys(it${index})`)
  return `${[...imports, ...uses].join('\n')}\n`
}

/**
 * A program that prints what TypeScript 5.5 says of `strict.mts` with our declarations, and of
 * `lenient.mts` without any, in both module resolutions. It checks no declarations of
 * other packages, which would take most of the time.
 */
export const olderTypesProgram = (compiler: string) => `
import ts from '${compiler}'

const { NodeNext: nodenext, ESNext: esnext } = ts.ModuleKind
const { NodeNext, Bundler } = ts.ModuleResolutionKind
const lib = ['lib.esnext.d.ts', 'lib.dom.d.ts']
const usual = { noEmit: true, strict: true, target: ts.ScriptTarget.ES2022, lib }
for (const [module, moduleResolution] of [[nodenext, NodeNext], [esnext, Bundler]]) {
  const options = { ...usual, module, moduleResolution }
  const host = ts.createCompilerHost(options)
  const print = (...found) => process.stdout.write(ts.formatDiagnostics(found.flat(), host))
  const strict = ts.createProgram(['strict.mts'], { ...options, typeRoots: ['none'] }, host)
  print(strict.getOptionsDiagnostics(), strict.getGlobalDiagnostics())
  for (const file of strict.getSourceFiles()) {
    if (!/strict\\.mts$|\\/@heirloom\\//.test(file.fileName)) continue
    print(strict.getSyntacticDiagnostics(file), strict.getSemanticDiagnostics(file))
  }
  const withoutLibraries = { ...options, types: ['node'], skipLibCheck: true }
  print(ts.getPreEmitDiagnostics(ts.createProgram(['lenient.mts'], withoutLibraries, host, strict)))
}
`

/** A program that uses the core, and compiles only when its types are precise. */
export const coreProgram = `
import { type BlobStore, Failure, isFailure, type Wei, wei } from '@heirloom/core'

export const price: Wei = wei(5n)
// @ts-expect-error A price is not just any number.
export const wrong: Wei = 5n

export const nothing: BlobStore = {
  put: async () => { throw new Failure('blob/unavailable', { operation: 'put a blob' }) },
  get: async (digest) => { throw new Failure('blob/not-found', { digest }) },
  head: async (digest) => { throw new Failure('blob/not-found', { digest }) },
  remove: async () => undefined,
}
export const priceIn = (error: unknown) =>
  isFailure(error, 'value/invalid') ? error.facts satisfies object : undefined
`

/** A program that reads a damaged object, and calls a bucket that does not exist. */
export const bucketFaultsProgram = `
import { s3BlobStore } from './s3-blob-store.ts'

const bucket = new URL(process.env.BUCKET)
const store = s3BlobStore(bucket)
const digest = await store.put(Uint8Array.of(1, 2, 3))
await fetch(new URL(digest.slice(2), bucket), { method: 'PUT', body: 'other bytes' })
const missing = s3BlobStore(new URL('http://127.0.0.1:1/memories/'))
const codeOf = (call) => call.then(() => 'no failure', ({ code }) => code)
console.log(await codeOf(store.get(digest)), await codeOf(missing.get(digest)))
`

/** A program that seals and opens in a worker, and exchanges a blob between two IPFS nodes. */
export const blobExchangeProgram = `
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'

const keys = sealingKeyRing([new Uint8Array(32).fill(7)])
const cipher = naclCipher({ keys, documentLimit: 2 ** 26 })
const creator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const context = { registry: { chainId: 1, address: creator }, creator }
const large = new Uint8Array(3_000_000).map((_, index) => index * 2654435761)
const listen = ['/ip4/127.0.0.1/tcp/0']
const one = await heliaBlobStore({ folder: 'one', network: { listen, peers: [] } })
const envelope = await cipher.seal(large, context, { blobs: one })
const digest = await one.put(envelope.sealed, envelope.headLength)
const other = await heliaBlobStore({ folder: 'other', network: { listen, peers: one.addresses() } })
const { document } = await cipher.open(await other.get(digest), context, other)
console.log(Buffer.compare(document, large))
await other.close()
await one.close()
`

/** A program that passes what the client has for frameworks to each of them. */
export const frameworksProgram = `
import { createClient } from '@heirloom/client'
import { heirloomMemory } from '@heirloom/client/ai-sdk'
import { HeirloomSaver, HeirloomStore } from '@heirloom/client/langgraph'
import { HeirloomStorage } from '@heirloom/client/mastra'
import { heirloomSession } from '@heirloom/client/openai-agents'
import { createWebhookReceiver } from '@heirloom/client/webhooks'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { Mastra } from '@mastra/core'
import { Memory } from '@mastra/memory'
import { Agent, run } from '@openai/agents'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import { Hono } from 'hono'

const client = createClient({ url: 'http://127.0.0.1:3000' })
const options = { client, name: 'ada', durability: 'held' } as const
const graph = new StateGraph(MessagesAnnotation).addNode('a', () => ({})).addEdge('__start__', 'a')
export const app = graph.compile({
  checkpointer: new HeirloomSaver(options),
  store: new HeirloomStore(options),
})
export const remembering = (model: Exclude<LanguageModel, string>) =>
  wrapLanguageModel({ model: model as Parameters<typeof wrapLanguageModel>[0]['model'], middleware: heirloomMemory(options) })
const storage = new HeirloomStorage(options)
export const all = [new Mastra({ storage }), new Memory({ storage })]
export const ran = run(new Agent({ name: 'Ada' }), 'Hello', { session: heirloomSession(options) })
const receiver = createWebhookReceiver({ secret: 's', onEvent: ({ id }) => console.log(id) })
export const hono = new Hono().post('/', ({ req }) => receiver.fetch(req.raw))
// @ts-expect-error A name is needed.
export const wrong = new HeirloomStore({ client })
`
