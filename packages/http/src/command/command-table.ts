import type { Command, NamedCommands } from './command.ts'

// A command is loaded when it is called, so that none waits for the parts of another.
const loaders = {
  serve: async () => (await import('./serve.ts')).serve,
  snapshot: async () => (await import('./snapshot.ts')).snapshot,
  download: async () => (await import('./download.ts')).download,
  verify: async () => (await import('./verify.ts')).verify,
  info: async () => (await import('./info.ts')).info,
  lineage: async () => (await import('./lineage.ts')).lineage,
  browse: async () => (await import('./browse.ts')).browse,
  list: async () => (await import('./list.ts')).list,
  buy: async () => (await import('./buy.ts')).buy,
  rent: async () => (await import('./rent.ts')).rent,
  fork: async () => (await import('./fork.ts')).fork,
  royalty: async () => (await import('./royalty.ts')).royalty,
  import: async () => (await import('./import.ts')).importCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  mcp: async () => (await import('./mcp.ts')).mcp,
  deploy: async () => (await import('./deploy.ts')).deploy,
  'api-key': async () => (await import('./api-key.ts')).apiKey,
  keys: async () => (await import('./keys.ts')).keys,
  doctor: async () => (await import('./doctor.ts')).doctor,
  chain: async () => (await import('./chain.ts')).chain,
  completion: async () => (await import('./completion.ts')).completion,
} satisfies Readonly<Record<string, () => Promise<Command>>>

type CommandName = keyof typeof loaders

/** The name of every command, in the order of the help. */
export const commandNames = Object.keys(loaders) as readonly CommandName[]

/** Returns the command of a name; nothing when there is none. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const known = commandNames.find((it) => it === name)
  return known && (await loaders[known]())
}

/** Returns every command by its name. */
export async function loadCommands(): Promise<NamedCommands> {
  return Promise.all(commandNames.map(async (name) => [name, await loaders[name]()] as const))
}
