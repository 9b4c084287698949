/** An entrance of `@heirloom/client`. */
export type ClientEntrance = {
  readonly path: string
  /** The folder of `packages/http/src` that it is made from. */
  readonly folder: string
  /** The name of the files that it is built as. */
  readonly file: string
  /** The packages that it imports: those of its framework, which are optional peers. */
  readonly peers: readonly string[]
}

/** The entrances of `@heirloom/client`. `@heirloom/http` has the first two as well. */
export const clientEntrances: readonly ClientEntrance[] = [
  { path: '.', folder: 'client', file: 'index', peers: [] },
  { path: './wallet', folder: 'wallet', file: 'wallet', peers: ['viem'] },
  {
    path: './langgraph',
    folder: 'frameworks/langgraph',
    file: 'langgraph',
    peers: ['@langchain/core', '@langchain/langgraph-checkpoint'],
  },
  { path: './ai-sdk', folder: 'frameworks/ai-sdk', file: 'ai-sdk', peers: ['ai'] },
  { path: './mastra', folder: 'frameworks/mastra', file: 'mastra', peers: ['@mastra/core'] },
  {
    path: './openai-agents',
    folder: 'frameworks/openai-agents',
    file: 'openai-agents',
    peers: ['@openai/agents'],
  },
  { path: './webhooks', folder: 'webhook-receiver', file: 'webhooks', peers: [] },
]

/** Returns whether a module is of one of some packages. */
export const isOf = (packages: readonly string[], id: string): boolean =>
  packages.some((name) => id === name || id.startsWith(`${name}/`))

/** The packages that some entrance imports. */
export const allPeers: readonly string[] = clientEntrances.flatMap(({ peers }) => peers)

/** The name of the package. */
export const clientName = '@heirloom/client'
